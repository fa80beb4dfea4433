#include "geometry/medial/bounds.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "exec/parallel.h"
#include "geometry/distance/gap.h"
#include "geometry/medial/bound_kernel.h"
#include "math/svd3.h"
#include "mesh/point_box.h"

namespace marrow {
namespace {

// Handles that move the primitive: those of its spheres.
Mat3 average_gradient(const PrimitiveRows& rows, const BoundRows& all,
                      const std::vector<HandleMotion>& motions) {
  Mat3 sum = Mat3::Zero();
  int count = 0;
  for (size_t k = rows.first_handle; k < rows.first_handle + rows.handle_count; ++k) {
    const RowHandle& row = all.handles[k];
    if (row.handle == kNone || !row.has_sphere) continue;
    sum += motions[static_cast<size_t>(row.handle)].gradient;
    ++count;
  }
  if (count == 0) return Mat3::Identity();
  return sum / count;
}

BoundFrame choose_frame(BoundKind kind, const MedialPrimitive& primitive, const PrimitiveRows& rows,
                        const BoundRows& all, const std::vector<HandleMotion>& motions,
                        const Points& centers) {
  BoundFrame T;
  if (kind == BoundKind::Displacement) return T;
  T.from = rows.center;
  for (int i = 0; i < primitive.count; ++i)
    T.to += centers[static_cast<size_t>(primitive.vertices[static_cast<size_t>(i)])] / primitive.count;
  const Mat3 mean = average_gradient(rows, all, motions);
  if (kind == BoundKind::Rigid) {
    const Svd3 svd = compute_svd3(mean);
    T.F = svd.U * svd.V.transpose();
    return T;
  }
  // The centres go where they go, what lies across follows the mean.
  Eigen::Matrix<double, 3, 2> sides = Eigen::Matrix<double, 3, 2>::Zero();
  for (int k = 1; k < primitive.count; ++k) {
    sides.col(k - 1) = centers[static_cast<size_t>(primitive.vertices[static_cast<size_t>(k)])] -
                       centers[static_cast<size_t>(primitive.vertices[0])];
  }
  T.F = mean + (sides - mean * rows.rest_sides) * rows.across;
  return T;
}

double largest_coordinate(const Points& points) {
  double largest = 0;
  for (const Vec3& x : points) largest = std::max(largest, x.cwiseAbs().maxCoeff());
  return largest;
}

// ‖A‖, from its largest singular value; more than the rounding of the decomposition.
double spectral_norm(const Mat3& A) { return (1 + 1e-12) * compute_svd3(A).s[0]; }

// Where a row of length n is summed with weights of the magnitude A at coordinates X, twice for the surface
// and the bound, and the residual has a few steps more.
double bound_rounding(const PrimitiveRows& rows, double largest) {
  return 0x1p-50 * (rows.row_length + 32) * (rows.row_sum + 1) * largest;  // [derived]
}

}  // namespace

MedialBounds::MedialBounds(MedialRest rest, const BoundOptions& options)
    : rest_(std::move(rest)), primitives_(list_primitives(rest_.medial)), handles_(list_handles(rest_)) {
  const MedialShape shape(rest_.medial);
  pieces_ = assign_pieces(rest_.surface, shape, options.piece_size * compute_diagonal(rest_.surface.points));
  rows_ = build_bound_rows(rest_, handles_, primitives_, pieces_, options.representatives);
}

void MedialBounds::update(BoundKind kind, const Eigen::Ref<const VecX>& n, MedialCover& cover) const {
  std::vector<HandleMotion> motions(handles_.size());
  exec::parallel_for("medial.handles", motions.size(),
                     [&](size_t j) { motions[j] = compute_handle_motion(handles_[j], n.data()); });
  const Points centers = compute_centers(rest_, n);
  const double largest = std::max(
      {n.cwiseAbs().maxCoeff(), largest_coordinate(rest_.nodes), largest_coordinate(rest_.surface.points)});
  cover.primitives.resize(primitives_.size());
  cover.growth.assign(primitives_.size(), 0);
  const auto bound = [&](size_t p) {
    const PrimitiveRows& rows = rows_.primitives[p];
    const BoundFrame T = choose_frame(kind, primitives_[p], rows, rows_, motions, centers);
    const RowHandle* handles = rows_.handles.data() + rows.first_handle;
    std::vector<HandleResidual> residuals(rows.handle_count);
    for (size_t k = 0; k < residuals.size(); ++k)
      residuals[k] = compute_residual(handles[k], motions.data(), T);
    double growth = 0;
    for (int r = 0; r < rows.representatives; ++r) {
      const double* row = rows_.numbers.data() + rows.first_row + static_cast<size_t>(r * rows.width);
      const double* most =
          rows_.differences.data() + rows.first_difference + static_cast<size_t>(r * rows.difference_width);
      growth = std::max(
          growth, bound_residual(handles, residuals.data(), residuals.size(), motions.data(), row, most));
    }
    growth += bound_rounding(rows, largest);
    const double factor = std::min(spectral_norm(T.F * rows.ellipsoid), spectral_norm(T.F));
    cover.growth[p] = growth;
    cover.primitives[p] = make_balls(primitives_[p], rest_.medial);
    MedialBalls& balls = cover.primitives[p];
    for (size_t i = 0; i < 3; ++i) {
      balls.x[i] = centers[static_cast<size_t>(primitives_[p].vertices[i])];
      balls.r[i] = factor * (balls.r[i] + rows.need) + growth;
    }
  };
  exec::parallel_for("medial.bounds", primitives_.size(), bound, 4);
  if (kind == BoundKind::Measured) measure(compute_surface(rest_, n), largest, cover);
}

void MedialBounds::update(BoundKind kind, const Eigen::Ref<const VecX>& n, const Points& surface,
                          MedialCover& cover) const {
  if (kind == BoundKind::Measured) {
    update(BoundKind::Affine, n, cover);
    const double largest = std::max(n.cwiseAbs().maxCoeff(), largest_coordinate(surface));
    measure(surface, largest, cover);
    return;
  }
  update(kind, n, cover);
  const Points own = compute_surface(rest_, n);
  const auto grow = [&](size_t p) {
    double most = 0;
    for (const Index t : list_triangles(static_cast<Index>(p)))
      for (const Index v : rest_.surface.triangles[static_cast<size_t>(t)])
        most = std::max(most, (surface[static_cast<size_t>(v)] - own[static_cast<size_t>(v)]).norm());
    most *= 1 + 0x1p-48;  // [derived: of a difference and its norm]
    cover.growth[p] += most;
    for (double& r : cover.primitives[p].r) r += most;
  };
  exec::parallel_for("medial.grow", primitives_.size(), grow, 1);
}

// Shrinks or grows each primitive until its farthest point is on it.
void MedialBounds::measure(const Points& surface, double largest, MedialCover& cover) const {
  const auto fit = [&](size_t p) {
    MedialBalls& balls = cover.primitives[p];
    for (double& r : balls.r) r = std::max(0.0, r - cover.growth[p]);
    PairBalls pair;
    pair.x = {Vec3::Zero(), balls.x[0], balls.x[1], balls.x[2]};
    pair.r = {0, balls.r[0], balls.r[1], balls.r[2]};
    double most = -std::numeric_limits<double>::infinity();
    for (size_t i = pieces_.points.starts[p]; i < pieces_.points.starts[p + 1]; ++i) {
      pair.x[0] = locate(pieces_.points.values[i], rest_.surface, surface);
      most = std::max(most, find_gap(PairKind::PointTriangle, pair).compute_gap());
    }
    if (pieces_.points.starts[p] == pieces_.points.starts[p + 1]) most = 0;
    most += 0x1p-46 * largest;  // [derived: 64 units for the point, its gap and the sum]
    cover.growth[p] = most;
    for (double& r : balls.r) r = std::max(0.0, r + most);
  };
  exec::parallel_for("medial.measure_bound", primitives_.size(), fit, 1);
}

void share_radii(const std::vector<MedialPrimitive>& primitives, size_t sphere_count, MedialCover& cover) {
  std::vector<double> radii(sphere_count, 0);
  for (size_t p = 0; p < primitives.size(); ++p)
    for (size_t i = 0; i < 3; ++i) {
      double& r = radii[static_cast<size_t>(primitives[p].vertices[i])];
      r = std::max(r, cover.primitives[p].r[i]);
    }
  for (size_t p = 0; p < primitives.size(); ++p)
    for (size_t i = 0; i < 3; ++i)
      cover.primitives[p].r[i] = radii[static_cast<size_t>(primitives[p].vertices[i])];
}

Mesh make_mesh(const MedialCover& cover) {
  Mesh mesh;
  for (const MedialBalls& balls : cover.primitives) {
    const auto first = static_cast<Index>(mesh.points.size());
    for (size_t i = 0; i < static_cast<size_t>(balls.count); ++i) {
      mesh.points.push_back(balls.x[i]);
      mesh.radii.push_back(balls.r[i]);
    }
    if (balls.count == 2) mesh.edges.push_back({first, first + 1});
    if (balls.count < 3) continue;
    mesh.triangles.push_back({first, first + 1, first + 2});
    for (Index k = 0; k < 3; ++k) mesh.edges.push_back({first + k, first + (k + 1) % 3});
  }
  return mesh;
}

}  // namespace marrow
