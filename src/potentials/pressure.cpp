#include "potentials/pressure.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "exec/parallel.h"
#include "math/psd.h"
#include "math/rotation.h"

namespace marrow {
namespace {

double compute_share(const std::array<Vec3, 3>& x) { return x[0].dot(x[1].cross(x[2])) / 6; }

}  // namespace

Pressure::Pressure(const Kinematics& kinematics, std::vector<PressureLoad> loads)
    : kinematics_(kinematics), loads_(std::move(loads)), rest_(loads_.size(), 0) {
  std::vector<Index> offsets = {0}, nodes;
  for (size_t load = 0; load < loads_.size(); ++load) {
    const Body& body = kinematics.bodies[static_cast<size_t>(loads_[load].body)];
    const Vec3 origin = body.rest.points[0];
    for (const Triangle& triangle : body.rest.triangles) {
      faces_.push_back({load, triangle});
      std::array<Vec3, 3> x;
      std::set<Index> stencil;
      for (size_t c = 0; c < 3; ++c) {
        x[c] = body.rest.points[triangle[c]] - origin;
        for (Index k = body.W.offsets[triangle[c]]; k < body.W.offsets[triangle[c] + 1]; ++k) {
          stencil.insert(body.first_node + body.W.indices[k]);
        }
      }
      rest_[load] += compute_share(x);
      nodes.insert(nodes.end(), stencil.begin(), stencil.end());
      offsets.push_back(static_cast<Index>(nodes.size()));
    }
  }
  group_.set_stencils(std::move(offsets), std::move(nodes), kinematics.node_count);
  set_time(0);
}

void Pressure::set_time(double t) {
  values_.clear();
  for (const PressureLoad& load : loads_) values_.push_back(load.value.evaluate(t));
}

Vec3 Pressure::compute_point(Index body_id, Index point, const VecX& n) const {
  const Body& body = kinematics_.bodies[static_cast<size_t>(body_id)];
  Vec3 x = Vec3::Zero();
  for (Index k = body.W.offsets[point]; k < body.W.offsets[point + 1]; ++k) {
    x += body.W.values[k] * n.segment<3>(3 * (body.first_node + body.W.indices[k]));
  }
  return x;
}

// The origin of each surface: the mean of its triangles' corners.
std::vector<Vec3> Pressure::compute_origins(const VecX& n) const {
  std::vector<double> counts(loads_.size(), 0);
  std::vector<Vec3> origins(loads_.size(), Vec3::Zero());
  for (const Face& face : faces_) {
    for (const Index point : face.points)
      origins[face.load] += compute_point(loads_[face.load].body, point, n);
    counts[face.load] += 3;
  }
  for (size_t load = 0; load < loads_.size(); ++load) origins[load] /= counts[load];
  return origins;
}

std::array<Vec3, 3> Pressure::gather_corners(const Face& face, const VecX& n, const Vec3& origin) const {
  std::array<Vec3, 3> x;
  for (size_t c = 0; c < 3; ++c) x[c] = compute_point(loads_[face.load].body, face.points[c], n) - origin;
  return x;
}

// How much of each node is in each corner.
std::vector<Vec3> Pressure::gather_weights(const Face& face, std::span<const Index> nodes) const {
  const Body& body = kinematics_.bodies[static_cast<size_t>(loads_[face.load].body)];
  std::vector<Vec3> weights(nodes.size(), Vec3::Zero());
  for (int c = 0; c < 3; ++c) {
    const Index point = face.points[static_cast<size_t>(c)];
    for (Index k = body.W.offsets[point]; k < body.W.offsets[point + 1]; ++k) {
      const Index node = body.first_node + body.W.indices[k];
      const auto slot = std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin();
      weights[static_cast<size_t>(slot)][c] += body.W.values[k];
    }
  }
  return weights;
}

double Pressure::compute_value(const VecX& n) const {
  const std::vector<Vec3> origins = compute_origins(n);
  double value = exec::parallel_sum("pressure.value", faces_.size(), [&](size_t f) {
    return -values_[faces_[f].load] * compute_share(gather_corners(faces_[f], n, origins[faces_[f].load]));
  });
  for (size_t load = 0; load < loads_.size(); ++load) value += values_[load] * rest_[load];
  return value;
}

double Pressure::compute_magnitude(const VecX& n) const {
  const std::vector<Vec3> origins = compute_origins(n);
  double sum = exec::parallel_sum("pressure.magnitude", faces_.size(), [&](size_t f) {
    return std::abs(values_[faces_[f].load] *
                    compute_share(gather_corners(faces_[f], n, origins[faces_[f].load])));
  });
  for (size_t load = 0; load < loads_.size(); ++load) sum += std::abs(values_[load] * rest_[load]);
  return sum;
}

void Pressure::add_gradient(const VecX& n, double weight, VecX& g) {
  const std::vector<Vec3> origins = compute_origins(n);
  exec::parallel_for("pressure.gradient", faces_.size(), [&](size_t f) {
    const Face& face = faces_[f];
    const std::array<Vec3, 3> x = gather_corners(face, n, origins[face.load]);
    const double factor = -weight * values_[face.load] / 6;
    const std::array<Vec3, 3> dE_dx = {factor * x[1].cross(x[2]), factor * x[2].cross(x[0]),
                                       factor * x[0].cross(x[1])};
    const std::span<const Index> nodes = group_.nodes_of(f);
    const std::span<Vec3> local = group_.gradient_of(f);
    const std::vector<Vec3> weights = gather_weights(face, nodes);
    for (size_t k = 0; k < nodes.size(); ++k) {
      local[k] = weights[k][0] * dE_dx[0] + weights[k][1] * dE_dx[1] + weights[k][2] * dE_dx[2];
    }
  });
  group_.add_gradient(g);
}

const StencilGroup* Pressure::update_hessian(const VecX& n, double weight) {
  const std::vector<Vec3> origins = compute_origins(n);
  exec::parallel_for("pressure.hessian", faces_.size(), [&](size_t f) {
    const Face& face = faces_[f];
    const std::array<Vec3, 3> x = gather_corners(face, n, origins[face.load]);
    // ∂²(x₀·(x₁ × x₂)) / ∂x_a ∂x_b = ∓[x_c]×, with a, b, c in turn.
    const double factor = -weight * values_[face.load] / 6;
    MatX H = MatX::Zero(9, 9);
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      const Mat3 block = -factor * cross_matrix(x[static_cast<size_t>(c)]);
      H.block<3, 3>(3 * a, 3 * b) = block;
      H.block<3, 3>(3 * b, 3 * a) = block.transpose();
    }
    H = project_psd(H);
    // Into the nodes of the stencil.
    const std::span<const Index> nodes = group_.nodes_of(f);
    const std::vector<Vec3> weights = gather_weights(face, nodes);
    const std::span<Mat3> blocks = group_.blocks_of(f);
    size_t slot = 0;
    for (size_t k = 0; k < nodes.size(); ++k) {
      std::array<Mat3, 3> row;
      for (int b = 0; b < 3; ++b) {
        row[static_cast<size_t>(b)] = weights[k][0] * H.block<3, 3>(0, 3 * b) +
                                      weights[k][1] * H.block<3, 3>(3, 3 * b) +
                                      weights[k][2] * H.block<3, 3>(6, 3 * b);
      }
      for (size_t l = k; l < nodes.size(); ++l, ++slot) {
        blocks[slot] = weights[l][0] * row[0] + weights[l][1] * row[1] + weights[l][2] * row[2];
      }
    }
  });
  return &group_;
}

}  // namespace marrow
