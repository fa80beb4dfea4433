#include "potentials/elastic/shell_bending.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "exec/parallel.h"

namespace marrow {
namespace {

// Removes the row and column k of a quadratic form by letting its variable take the value of least energy.
void eliminate(Mat3& Q, int k) {
  const Vec3 column = Q.col(k);
  if (column[k] > 0) Q -= column * column.transpose() / column[k];
  Q.row(k).setZero();
  Q.col(k).setZero();
}

Mat3 compute_form(const ShellBends& bends, size_t t, const Material& material) {
  const double mu = material.lame_mu, lambda = material.lame_lambda;
  const double nu = lambda / (2 * (lambda + mu)), youngs_modulus = 2 * mu * (1 + nu);
  const double h = bends.thicknesses[t];
  const double D = youngs_modulus * h * h * h / (12 * (1 - nu * nu));
  Mat3 plate;
  plate << 1, nu, 0, nu, 1, 0, 0, 0, 2 * (1 - nu);
  Mat3 Q = (bends.areas[t] * D) * (bends.curvatures[t].transpose() * plate * bends.curvatures[t]);
  for (int k = 0; k < 3; ++k) {
    if (bends.far[t][static_cast<size_t>(k)] < 0) eliminate(Q, k);
  }
  return Q;
}

// The four nodes of a hinge: the edge's ends, the near and the far corner.
struct Hinge {
  Vec3 x0, x1, near, far;
};

// ∂θ by x0, x1, near, far; zero if a triangle has no area.
std::array<Vec3, 4> compute_angle_gradient(const Hinge& hinge) {
  const Vec3 e = hinge.x1 - hinge.x0, a = hinge.near - hinge.x0, b = hinge.far - hinge.x0;
  const Vec3 n1 = e.cross(a), n2 = b.cross(e);
  const double l = e.norm(), q1 = n1.squaredNorm(), q2 = n2.squaredNorm();
  if (!(q1 > 0 && q2 > 0)) return {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  const Vec3 near = -(l / q1) * n1, far = -(l / q2) * n2;
  const double s1 = a.dot(e) / (l * l), s2 = b.dot(e) / (l * l);
  return {-((1 - s1) * near + (1 - s2) * far), -(s1 * near + s2 * far), near, far};
}

Vec3 compute_angle_changes(const ShellBends& bends, size_t t, const VecX& n) {
  const Index* nodes = bends.nodes.data() + bends.offsets[t];
  const auto at = [&](size_t k) { return Vec3(n.segment<3>(3 * nodes[k])); };
  Vec3 changes = Vec3::Zero();
  for (size_t k = 0; k < 3; ++k) {
    if (bends.far[t][k] < 0) continue;
    const double angle = compute_hinge_angle(at(k), at((k + 1) % 3), at((k + 2) % 3),
                                             at(static_cast<size_t>(bends.far[t][k])));
    const Index i = static_cast<Index>(k);
    changes[i] = std::remainder(angle - bends.rest_angles[t][i], 2 * std::numbers::pi);
  }
  return changes;
}

// The angle changes of a triangle's edges with their gradients by the stencil's nodes.
struct Bend {
  Vec3 changes = Vec3::Zero();
  std::array<std::array<Vec3, 3>, 6> gradients = {};  // [node][edge]
};

Bend compute_bend(const ShellBends& bends, size_t t, const VecX& n) {
  const Index* nodes = bends.nodes.data() + bends.offsets[t];
  const auto at = [&](size_t k) { return Vec3(n.segment<3>(3 * nodes[k])); };
  Bend bend;
  bend.changes = compute_angle_changes(bends, t, n);
  for (auto& node : bend.gradients) node.fill(Vec3::Zero());
  for (size_t k = 0; k < 3; ++k) {
    if (bends.far[t][k] < 0) continue;
    const std::array<size_t, 4> places = {k, (k + 1) % 3, (k + 2) % 3, static_cast<size_t>(bends.far[t][k])};
    const std::array<Vec3, 4> gradient =
        compute_angle_gradient({at(places[0]), at(places[1]), at(places[2]), at(places[3])});
    for (size_t i = 0; i < 4; ++i) bend.gradients[places[i]][k] = gradient[i];
  }
  return bend;
}

}  // namespace

double compute_bending_energy(const ShellBends& bends, const std::vector<Material>& materials,
                              const VecX& n) {
  return exec::parallel_sum("shell_bending.energy", bends.count(), [&](size_t t) {
    const Vec3 changes = compute_angle_changes(bends, t, n);
    return 0.5 * changes.dot(compute_form(bends, t, materials[bends.materials[t]]) * changes);
  });
}

ShellBending::ShellBending(const ShellBends& bends, const std::vector<Material>& materials, Index node_count)
    : bends_(bends) {
  for (size_t t = 0; t < bends.count(); ++t) {
    forms_.push_back(compute_form(bends, t, materials[bends.materials[t]]));
  }
  group_.set_stencils(bends.offsets, bends.nodes, node_count);
}

double ShellBending::compute_value(const VecX& n) const {
  return exec::parallel_sum("shell_bending.value", bends_.count(), [&](size_t t) {
    const Vec3 changes = compute_angle_changes(bends_, t, n);
    return 0.5 * changes.dot(forms_[t] * changes);
  });
}

double ShellBending::compute_magnitude(const VecX& n) const {
  return exec::parallel_sum("shell_bending.magnitude", bends_.count(), [&](size_t t) {
    const double change = compute_angle_changes(bends_, t, n).norm();
    return forms_[t].trace() * change * (1 + change);
  });
}

void ShellBending::add_gradient(const VecX& n, double weight, VecX& g) {
  exec::parallel_for("shell_bending.gradient", bends_.count(), [&](size_t t) {
    const Bend bend = compute_bend(bends_, t, n);
    const Vec3 moments = weight * (forms_[t] * bend.changes);
    const std::span<Vec3> local = group_.gradient_of(t);
    for (size_t a = 0; a < local.size(); ++a) {
      const auto& by_edge = bend.gradients[a];
      local[a] = moments[0] * by_edge[0] + moments[1] * by_edge[1] + moments[2] * by_edge[2];
    }
  });
  group_.add_gradient(g);
}

const StencilGroup* ShellBending::update_hessian(const VecX& n, double weight) {
  exec::parallel_for("shell_bending.hessian", bends_.count(), [&](size_t t) {
    const Bend bend = compute_bend(bends_, t, n);
    const Mat3 Q = weight * forms_[t];
    const size_t count = group_.nodes_of(t).size();
    const auto by_edge = [&](size_t node) {
      Mat3 J;
      for (Index k = 0; k < 3; ++k) J.col(k) = bend.gradients[node][static_cast<size_t>(k)];
      return J;
    };
    size_t at = 0;
    for (size_t a = 0; a < count; ++a) {
      const Mat3 left = by_edge(a) * Q;
      for (size_t b = a; b < count; ++b) group_.blocks_of(t)[at++] = left * by_edge(b).transpose();
    }
  });
  return &group_;
}

}  // namespace marrow
