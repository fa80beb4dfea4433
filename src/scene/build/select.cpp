#include "scene/build/select.h"

#include "mesh/point_box.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

namespace marrow {
namespace {

std::vector<Index> select_vertices(const std::vector<int>& ids, const Points& points, const Location& where) {
  std::vector<Index> selected(ids.begin(), ids.end());
  std::sort(selected.begin(), selected.end());
  selected.erase(std::unique(selected.begin(), selected.end()), selected.end());
  if (!selected.empty() && selected.back() >= static_cast<Index>(points.size())) {
    throw InputError(where, fmt::format("vertex {} does not exist", selected.back()),
                     fmt::format("The body has {0} points, 0 to {1}.", points.size(), points.size() - 1));
  }
  return selected;
}

// A box with coordinates 0 to 1 across the box of the points; widened by rounding, so that 0 and 1 hit the
// faces.
Eigen::AlignedBox3d resolve_relative(const BoxRegion& region, const Points& points) {
  const Eigen::AlignedBox3d bounds = compute_box(points);
  const Vec3 size = bounds.sizes();
  const Vec3 slack = Vec3::Constant(1e-9 * size.norm());
  return {bounds.min() + region.min.cwiseProduct(size) - slack,
          bounds.min() + region.max.cwiseProduct(size) + slack};
}

}  // namespace

std::vector<Index> select_points(const Selection& selection, const Points& points, const Location& where) {
  if (selection.vertices) return select_vertices(*selection.vertices, points, where);
  Eigen::AlignedBox3d box;
  if (selection.box) box = {selection.box->min, selection.box->max};
  if (selection.relative_box) box = resolve_relative(*selection.relative_box, points);
  std::vector<Index> selected;
  for (size_t i = 0; i < points.size(); ++i) {
    const bool is_inside =
        selection.all || (!box.isEmpty() && box.contains(points[i])) ||
        (selection.sphere && (points[i] - selection.sphere->center).norm() <= selection.sphere->radius);
    if (is_inside) selected.push_back(static_cast<Index>(i));
  }
  if (selected.empty()) {
    throw InputError(where, "no point of the body is selected",
                     "Compare the region with the body's position; `marrow info` prints a mesh's box.");
  }
  return selected;
}

}  // namespace marrow
