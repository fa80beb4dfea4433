#include "potentials/pressure.h"

#include <cmath>

#include "exec/parallel.h"
#include "math/svd3.h"
#include "potentials/materials/frame_hessian.h"

namespace marrow {
namespace {

double compute_share(const std::array<Vec3, 3>& x) { return x[0].dot(x[1].cross(x[2])) / 6; }

// ∂² of factor · det X in the frame of the stretches of X.
StretchHessian compute_volume_hessian(const Vec3& s, double factor) {
  StretchHessian h;
  h.scaling << 0, s[2], s[1], s[2], 0, s[0], s[1], s[0], 0;
  h.scaling *= factor;
  h.twist = factor * s;
  h.flip = -factor * s;
  return h;
}

// The nodes of a medial body are grouped by handle; those of other bodies are not grouped.
PulledStencils::Nodes find_nodes(const Kinematics& kinematics, const Body& body) {
  PulledStencils::Nodes nodes = {.first = body.first_node, .groups = {}, .count = kinematics.node_count};
  for (const ReducedElements& reduced : kinematics.reduced) {
    if (reduced.first_node == body.first_node) nodes.groups = reduced.handle_nodes;
  }
  if (!nodes.groups.empty()) return nodes;
  for (Index i = 0; i <= body.node_count; ++i) nodes.groups.push_back(i);
  return nodes;
}

std::vector<Index> list_offsets(size_t triangles) {
  std::vector<Index> offsets(triangles + 1);
  for (size_t f = 0; f < offsets.size(); ++f) offsets[f] = static_cast<Index>(3 * f);
  return offsets;
}

std::vector<Index> list_points(const std::vector<Triangle>& triangles) {
  std::vector<Index> points;
  for (const Triangle& t : triangles) points.insert(points.end(), t.begin(), t.end());
  return points;
}

}  // namespace

Pressure::Pressure(const Kinematics& kinematics, PressureLoad load)
    : body_(kinematics.bodies[static_cast<size_t>(load.body)]),
      load_(std::move(load)),
      value_(load_.value.evaluate(0)),
      pulled_(body_.W, find_nodes(kinematics, body_), list_offsets(body_.rest.triangles.size()),
              list_points(body_.rest.triangles)) {
  faces_.set_stencils(list_offsets(body_.rest.triangles.size()), list_points(body_.rest.triangles),
                      body_.W.rows());
  const Vec3 origin = body_.rest.points[0];
  for (const Triangle& t : body_.rest.triangles) {
    rest_ += compute_share({body_.rest.points[t[0]] - origin, body_.rest.points[t[1]] - origin,
                            body_.rest.points[t[2]] - origin});
  }
}

std::vector<Pressure::Corners> Pressure::compute_corners(const VecX& n) const {
  VecX x;
  compute_weighted_points(body_.W, body_.first_node, n, x);
  std::vector<Corners> corners;
  Vec3 sum = Vec3::Zero();
  for (const Triangle& t : body_.rest.triangles) {
    Corners& c = corners.emplace_back();
    for (size_t k = 0; k < 3; ++k) sum += c[k] = x.segment<3>(3 * t[k]);
  }
  const Vec3 origin = sum / static_cast<double>(3 * corners.size());
  for (Corners& c : corners) {
    for (Vec3& corner : c) corner -= origin;
  }
  return corners;
}

double Pressure::compute_value(const VecX& n) const {
  const std::vector<Corners> corners = compute_corners(n);
  const double volume = exec::parallel_sum("pressure.value", corners.size(),
                                           [&](size_t f) { return compute_share(corners[f]); });
  return value_ * (rest_ - volume);
}

double Pressure::compute_magnitude(const VecX& n) const {
  const std::vector<Corners> corners = compute_corners(n);
  const double sum = exec::parallel_sum("pressure.magnitude", corners.size(),
                                        [&](size_t f) { return std::abs(compute_share(corners[f])); });
  return std::abs(value_) * (sum + std::abs(rest_));
}

void Pressure::add_gradient(const VecX& n, double weight, VecX& g) {
  const std::vector<Corners> corners = compute_corners(n);
  const double factor = -weight * value_ / 6;
  exec::parallel_for("pressure.gradient", corners.size(), [&](size_t f) {
    const Corners& x = corners[f];
    const std::span<Vec3> local = faces_.gradient_of(f);
    for (size_t c = 0; c < 3; ++c) local[c] = factor * x[(c + 1) % 3].cross(x[(c + 2) % 3]);
  });
  VecX dE_dx = VecX::Zero(3 * body_.W.rows());
  faces_.add_gradient(dE_dx);
  pulled_.add_gradient(dE_dx, g);
}

const StencilGroup* Pressure::update_hessian(const VecX& n, double weight) {
  const std::vector<Corners> corners = compute_corners(n);
  const double factor = -weight * value_ / 6;
  exec::parallel_for("pressure.hessian", corners.size(), [&](size_t f) {
    // A triangle's share of the volume is det X / 6, X = Σ x_a e_aᵀ.
    Mat3 X;
    for (int c = 0; c < 3; ++c) X.col(c) = corners[f][static_cast<size_t>(c)];
    const Svd3 svd = compute_svd3(X);
    const FrameHessian h = make_projected(compute_volume_hessian(svd.s, factor));
    const std::span<Mat3> blocks = faces_.blocks_of(f);
    size_t slot = 0;
    for (int a = 0; a < 3; ++a) {
      for (int b = a; b < 3; ++b) {
        const Mat3 local = compute_local_block(h, svd.V.row(a).transpose(), svd.V.row(b).transpose());
        blocks[slot++] = (svd.U * local) * svd.U.transpose();
      }
    }
  });
  pulled_.update(faces_);
  return &pulled_.group();
}

}  // namespace marrow
