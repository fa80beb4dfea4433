#include "potentials/prescribed.h"

#include <cmath>
#include <numeric>

namespace marrow {
namespace {

// κ of the pull per mass of a node: its first value, and the value up to which it doubles. More: fewer
// rounds, stiffer systems. [paper: thesis of IPC, appendix A; ablation: pull_stiffness]
struct PullHeuristics {
  double first_stiffness = 1e6;
  double largest_stiffness = 1e8;
};
constexpr PullHeuristics kPull;

}  // namespace

PrescribedPull::PrescribedPull(std::vector<Index> nodes, std::vector<double> masses, Index node_count)
    : nodes_(std::move(nodes)), masses_(std::move(masses)) {
  std::vector<Index> offsets(nodes_.size() + 1);
  std::iota(offsets.begin(), offsets.end(), 0);
  group_.set_stencils(std::move(offsets), nodes_, node_count);
}

void PrescribedPull::reset(Points targets) {
  targets_ = std::move(targets);
  multipliers_.assign(nodes_.size(), Vec3::Zero());
  stiffness_ = kPull.first_stiffness;
}

void PrescribedPull::tighten(const VecX& n, bool raise_stiffness) {
  if (raise_stiffness && stiffness_ < kPull.largest_stiffness) {
    stiffness_ *= 2;
    return;
  }
  for (size_t k = 0; k < nodes_.size(); ++k) {
    multipliers_[k] -= stiffness_ * std::sqrt(masses_[k]) * (n.segment<3>(3 * nodes_[k]) - targets_[k]);
  }
}

double PrescribedPull::compute_largest_force(const VecX& n) const {
  double largest = 0;
  for (size_t k = 0; k < nodes_.size(); ++k) {
    const Vec3 d = n.segment<3>(3 * nodes_[k]) - targets_[k];
    largest =
        std::max(largest, (stiffness_ * masses_[k] * d - std::sqrt(masses_[k]) * multipliers_[k]).norm());
  }
  return largest;
}

double PrescribedPull::compute_value(const VecX& n) const {
  double sum = 0;
  for (size_t k = 0; k < nodes_.size(); ++k) {
    const Vec3 d = n.segment<3>(3 * nodes_[k]) - targets_[k];
    sum += 0.5 * stiffness_ * masses_[k] * d.squaredNorm() - std::sqrt(masses_[k]) * multipliers_[k].dot(d);
  }
  return sum;
}

void PrescribedPull::add_gradient(const VecX& n, double weight, VecX& g) {
  for (size_t k = 0; k < nodes_.size(); ++k) {
    const Vec3 d = n.segment<3>(3 * nodes_[k]) - targets_[k];
    g.segment<3>(3 * nodes_[k]) +=
        weight * (stiffness_ * masses_[k] * d - std::sqrt(masses_[k]) * multipliers_[k]);
  }
}

const StencilGroup* PrescribedPull::update_hessian(const VecX& /*n*/, double weight) {
  for (size_t k = 0; k < nodes_.size(); ++k) {
    group_.blocks_of(k)[0] = weight * stiffness_ * masses_[k] * Mat3::Identity();
  }
  return &group_;
}

}  // namespace marrow
