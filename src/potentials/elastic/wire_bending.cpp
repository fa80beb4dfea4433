#include "potentials/elastic/wire_bending.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "exec/parallel.h"
#include "math/rotation.h"

namespace marrow {
namespace {

// The edges before and after a joint.
struct Joint {
  Vec3 a, b;
};

Joint get_joint(const std::array<Index, 3>& nodes, const VecX& n) {
  const Vec3 middle = n.segment<3>(3 * nodes[1]);
  return {middle - n.segment<3>(3 * nodes[0]), n.segment<3>(3 * nodes[2]) - middle};
}

// κ and its derivatives by the three nodes.
struct Curvature {
  Vec3 value;
  std::array<Mat3, 3> derivatives;
};

Curvature compute_curvature(const Joint& joint) {
  const auto& [a, b] = joint;
  const double la = a.norm(), lb = b.norm(), q = la * lb + a.dot(b);
  const Vec3 value = 2 * a.cross(b) / q;
  const Mat3 by_a = (-2 * cross_matrix(b) - value * (lb / la * a + b).transpose()) / q;
  const Mat3 by_b = (2 * cross_matrix(a) - value * (la / lb * b + a).transpose()) / q;
  return {value, {-by_a, by_a - by_b, by_b}};
}

// 1 − κ₀/|κ|; 0 if the wire is straight although κ₀ > 0, because it has no direction to bend in.
double compute_excess(double curvature, double rest) {
  if (rest == 0) return 1;
  return curvature > 0 ? 1 - rest / curvature : 0;
}

// B/L [J]
double compute_stiffness(const WireBends& bends, size_t i, const Material& material) {
  const double mu = material.lame_mu, lambda = material.lame_lambda;
  const double youngs_modulus = mu * (3 * lambda + 2 * mu) / (lambda + mu);
  const double inertia = std::numbers::pi / 64 * std::pow(bends.diameters[i], 4);
  return youngs_modulus * inertia / bends.lengths[i];
}

// ½ (|κ| − κ₀)²
double compute_unit_energy(const WireBends& bends, size_t i, const VecX& n) {
  const auto [a, b] = get_joint(bends.nodes[i], n);
  if (!(a.norm() * b.norm() + a.dot(b) > 0)) return std::numeric_limits<double>::infinity();
  const double excess = compute_wire_curvature(a, b).norm() - bends.rest_curvatures[i];
  return 0.5 * excess * excess;
}

}  // namespace

double compute_bending_energy(const WireBends& bends, const std::vector<Material>& materials, const VecX& n) {
  return exec::parallel_sum("wire_bending.energy", bends.count(), [&](size_t i) {
    return compute_stiffness(bends, i, materials[bends.materials[i]]) * compute_unit_energy(bends, i, n);
  });
}

WireBending::WireBending(const WireBends& bends, const std::vector<Material>& materials, Index node_count)
    : bends_(bends) {
  std::vector<Index> offsets = {0}, nodes;
  for (size_t i = 0; i < bends.count(); ++i) {
    stiffnesses_.push_back(compute_stiffness(bends, i, materials[bends.materials[i]]));
    nodes.insert(nodes.end(), bends.nodes[i].begin(), bends.nodes[i].end());
    offsets.push_back(static_cast<Index>(nodes.size()));
  }
  group_.set_stencils(std::move(offsets), std::move(nodes), node_count);
}

double WireBending::compute_value(const VecX& n) const {
  return exec::parallel_sum("wire_bending.value", bends_.count(),
                            [&](size_t i) { return stiffnesses_[i] * compute_unit_energy(bends_, i, n); });
}

double WireBending::compute_magnitude(const VecX& n) const {
  return exec::parallel_sum("wire_bending.magnitude", bends_.count(), [&](size_t i) {
    const auto [a, b] = get_joint(bends_.nodes[i], n);
    const double size = compute_wire_curvature(a, b).norm() + bends_.rest_curvatures[i];
    return stiffnesses_[i] * size * (1 + size);
  });
}

void WireBending::add_gradient(const VecX& n, double weight, VecX& g) {
  exec::parallel_for("wire_bending.gradient", bends_.count(), [&](size_t i) {
    const Curvature curvature = compute_curvature(get_joint(bends_.nodes[i], n));
    const double excess = compute_excess(curvature.value.norm(), bends_.rest_curvatures[i]);
    const Vec3 moment = (weight * stiffnesses_[i] * excess) * curvature.value;
    for (size_t k = 0; k < 3; ++k) {
      group_.gradient_of(i)[k] = curvature.derivatives[k].transpose() * moment;
    }
  });
  group_.add_gradient(g);
}

const StencilGroup* WireBending::update_hessian(const VecX& n, double weight) {
  exec::parallel_for("wire_bending.hessian", bends_.count(), [&](size_t i) {
    const Curvature curvature = compute_curvature(get_joint(bends_.nodes[i], n));
    const double size = curvature.value.norm();
    const double excess = std::max(compute_excess(size, bends_.rest_curvatures[i]), 0.0);
    Mat3 form = Mat3::Identity();
    if (size > 0 && excess < 1) {
      const Vec3 r = curvature.value / size;
      form = excess * Mat3::Identity() + (1 - excess) * r * r.transpose();
    }
    form *= weight * stiffnesses_[i];
    size_t at = 0;
    for (size_t a = 0; a < 3; ++a) {
      const Mat3 left = curvature.derivatives[a].transpose() * form;
      for (size_t b = a; b < 3; ++b) group_.blocks_of(i)[at++] = left * curvature.derivatives[b];
    }
  });
  return &group_;
}

}  // namespace marrow
