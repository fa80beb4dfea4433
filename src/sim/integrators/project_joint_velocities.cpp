#include "sim/integrators/project_joint_velocities.h"

#include <algorithm>

#include "kinematics/free_flight.h"

namespace marrow {
namespace {

struct HoldOptions {
  // Conjugate gradients reduce the rates to this fraction of their initial value. [derived: between the
  // default of solver.joint_tolerance, 10⁻⁹, so that velocities are no worse than positions, and rounding]
  double tolerance = 1e-10;
  // Iterations of conjugate gradients. [safety net: as many as there are rows would do, but for rounding]
  int max_iterations = 2000;
};
constexpr HoldOptions kHold;

class HeldSystem {
 public:
  HeldSystem(const Model& model, const std::vector<char>& is_fixed, const std::vector<HeldRate>& rates,
             const VecX& n)
      : kinematics_(model.kinematics), is_fixed_(is_fixed), rates_(rates), n_(n) {
    const ScalarMatrix lumped = lump_rows(model.mass);
    inverse_masses_.assign(is_fixed.size(), 0);
    for (size_t i = 0; i < is_fixed.size(); ++i) {
      if (is_fixed[i] == 0 && lumped.values[i] > 0) inverse_masses_[i] = 1 / lumped.values[i];
    }
  }

  // P
  void remove_strain(VecX& v) const {
    for (const Body& body : kinematics_.bodies) {
      if (is_flying(body, is_fixed_)) make_velocities_rigid(body, n_, v);
    }
  }

  // J v
  VecX compute_rates(const VecX& v) const {
    VecX result(static_cast<Eigen::Index>(rates_.size()));
    for (size_t r = 0; r < rates_.size(); ++r) {
      result[static_cast<Eigen::Index>(r)] = rates_[r].compute_rate(v);
    }
    return result;
  }

  // P M⁻¹ Jᵀ λ
  VecX compute_change(const VecX& impulses) const {
    VecX v = VecX::Zero(n_.size());
    for (size_t r = 0; r < rates_.size(); ++r) {
      const std::vector<Index>& nodes = *rates_[r].nodes;
      for (size_t k = 0; k < nodes.size(); ++k) {
        v.segment<3>(3 * nodes[k]) +=
            impulses[static_cast<Eigen::Index>(r)] * inverse_masses_[nodes[k]] * rates_[r].slopes[k];
      }
    }
    remove_strain(v);
    return v;
  }

  // One over the diagonal of J M⁻¹ Jᵀ.
  VecX compute_preconditioner() const {
    VecX result = VecX::Zero(static_cast<Eigen::Index>(rates_.size()));
    for (size_t r = 0; r < rates_.size(); ++r) {
      double sum = 0;
      for (size_t k = 0; k < rates_[r].slopes.size(); ++k) {
        sum += inverse_masses_[(*rates_[r].nodes)[k]] * rates_[r].slopes[k].squaredNorm();
      }
      if (sum > 0) result[static_cast<Eigen::Index>(r)] = 1 / sum;
    }
    return result;
  }

 private:
  const Kinematics& kinematics_;
  const std::vector<char>& is_fixed_;
  const std::vector<HeldRate>& rates_;
  const VecX& n_;
  std::vector<double> inverse_masses_;
};

// Solves by conjugate gradients. Redundant joint rows make the matrix singular; CG still converges because
// the system is consistent.
VecX solve_impulses(const HeldSystem& system, const VecX& excess) {
  const VecX inverse = system.compute_preconditioner();
  VecX impulses = VecX::Zero(excess.size()), residual = excess;
  VecX scaled = inverse.cwiseProduct(residual), direction = scaled;
  double square = residual.dot(scaled);
  const double enough = kHold.tolerance * kHold.tolerance * square;
  for (int k = 0; k < kHold.max_iterations && square > enough; ++k) {
    const VecX image = system.compute_rates(system.compute_change(direction));
    const double curvature = direction.dot(image);
    if (!(curvature > 0)) break;
    impulses += square / curvature * direction;
    residual -= square / curvature * image;
    scaled = inverse.cwiseProduct(residual);
    const double next = residual.dot(scaled);
    direction = scaled + next / square * direction;
    square = next;
  }
  return impulses;
}

}  // namespace

void project_joint_velocities(const Model& model, const std::vector<char>& is_fixed,
                              std::vector<HeldRate> rates, const VecX& n, VecX& velocities) {
  // Limits act in one direction only.
  const auto is_leaving = [&](const HeldRate& held) {
    return held.is_limit && held.compute_rate(velocities) <= 0;
  };
  rates.erase(std::remove_if(rates.begin(), rates.end(), is_leaving), rates.end());
  if (rates.empty()) return;
  const HeldSystem system(model, is_fixed, rates, n);
  VecX wanted(static_cast<Eigen::Index>(rates.size()));
  for (size_t r = 0; r < rates.size(); ++r) wanted[static_cast<Eigen::Index>(r)] = rates[r].rate;
  system.remove_strain(velocities);
  velocities -= system.compute_change(solve_impulses(system, system.compute_rates(velocities) - wanted));
}

}  // namespace marrow
