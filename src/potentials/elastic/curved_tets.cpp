#include "potentials/elastic/curved_tets.h"

#include <algorithm>

#include "exec/parallel.h"
#include "math/barrier_function.h"
#include "potentials/materials/invariants.h"
#include "potentials/materials/volume_guard.h"

namespace marrow {
namespace {

// The part of its Jacobian that a tet keeps at least in a step, wherever it is smallest; as for straight
// ones. [ablation: kept_volume]
constexpr double kKeptJacobian = 0.1;

constexpr size_t kTetGrain = 16;  // a tet takes microseconds [speed only]

}  // namespace

double CurvedTetGuard::stiffness_of(size_t place) const {
  const Material& material = materials_[static_cast<size_t>(tets_.guards.materials[place])];
  return tets_.guards.volumes[place] * (material.lame_lambda + 2 * material.lame_mu);
}

const std::vector<CurvedTetGuard::ActivePlace>& CurvedTetGuard::find_active(const VecX& n) const {
  if (known_.size() == n.size() && known_ == n) return active_;
  const Elements& guards = tets_.guards;
  std::vector<char> is_active(guards.count());
  exec::parallel_for("curved.active", guards.count(), [&](size_t e) {
    is_active[e] = !(compute_deformation_gradient(guards, e, n).determinant() >= kGuardedVolume);
  });
  active_.clear();
  for (size_t e = 0; e < is_active.size(); ++e) {
    if (is_active[e] != 0) active_.push_back({e, compute_deformation_gradient(guards, e, n)});
  }
  known_ = n;
  return active_;
}

double CurvedTetGuard::compute_value(const VecX& n) const {
  double sum = 0;
  for (const auto& [place, F] : find_active(n)) {
    sum += stiffness_of(place) * kGuardedVolume * kGuardedVolume *
           compute_barrier_value(F.determinant() / kGuardedVolume);
  }
  return sum;
}

double CurvedTetGuard::compute_magnitude(const VecX& n) const {
  double sum = 0;
  for (const auto& [place, F] : find_active(n)) {
    const BarrierFunction b = compute_barrier_function(F.determinant() / kGuardedVolume);
    sum += stiffness_of(place) * kGuardedVolume * (kGuardedVolume * b.value - b.first);
  }
  return sum;
}

void CurvedTetGuard::add_gradient(const VecX& n, double weight, VecX& g) {
  const Elements& guards = tets_.guards;
  for (const auto& [place, F] : find_active(n)) {
    const double slope = stiffness_of(place) * kGuardedVolume *
                         compute_barrier_function(F.determinant() / kGuardedVolume).first;
    const Mat3 stress = weight * slope * compute_cofactor(F);
    for (auto k = static_cast<size_t>(guards.offsets[place]);
         k < static_cast<size_t>(guards.offsets[place + 1]); ++k) {
      g.segment<3>(3 * guards.nodes[k]) += stress * guards.gradients[k];
    }
  }
}

const StencilGroup* CurvedTetGuard::update_hessian(const VecX& n, double weight) {
  const Elements& guards = tets_.guards;
  const std::vector<ActivePlace>& active = find_active(n);
  std::vector<Index> offsets = {0}, nodes;
  for (const ActivePlace& one : active) {
    nodes.insert(nodes.end(), guards.nodes.begin() + guards.offsets[one.place],
                 guards.nodes.begin() + guards.offsets[one.place + 1]);
    offsets.push_back(static_cast<Index>(nodes.size()));
  }
  group_.set_stencils(std::move(offsets), std::move(nodes), node_count_);
  for (size_t s = 0; s < active.size(); ++s) {
    const auto& [place, F] = active[s];
    const double curvature =
        weight * stiffness_of(place) * compute_barrier_function(F.determinant() / kGuardedVolume).second;
    const Mat3 cofactor = compute_cofactor(F);
    const Vec3* gradients = guards.gradients.data() + guards.offsets[place];
    const std::span<Mat3> blocks = group_.blocks_of(s);
    const size_t count = group_.nodes_of(s).size();
    size_t at = 0;
    for (size_t a = 0; a < count; ++a) {
      const Vec3 slope = curvature * (cofactor * gradients[a]);
      for (size_t b = a; b < count; ++b) blocks[at++] = slope * (cofactor * gradients[b]).transpose();
    }
  }
  return &group_;
}

StepLimit CurvedTetGuard::compute_step_limit(const NodePath& path) const {
  const auto count = static_cast<size_t>(count_lattice(tets_.order));
  std::vector<double> limits(tets_.nodes.size() / count);
  exec::parallel_for(
      "curved.limit", limits.size(),
      [&](size_t t) {
        std::array<Vec3, count_lattice(kMostOrder)> starts, moves;
        bool moves_at_all = false;
        for (size_t k = 0; k < count; ++k) {
          const Index node = tets_.nodes[t * count + k];
          starts[k] = path.start.segment<3>(3 * node);
          moves[k] = path.direction.segment<3>(3 * node);
          moves_at_all = moves_at_all || moves[k] != moves[0];
        }
        limits[t] =
            moves_at_all ? path_.find_limit({starts.data(), count}, {moves.data(), count}, kKeptJacobian) : 1;
      },
      kTetGrain);
  double alpha = 1;
  for (const double limit : limits) alpha = std::min(alpha, limit);
  if (alpha < 1) return {alpha, LimitCause::Inversion};
  return {};
}

}  // namespace marrow
