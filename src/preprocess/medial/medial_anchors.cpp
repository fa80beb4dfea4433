#include "preprocess/medial/medial_anchors.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/error.h"
#include "mesh/point_merger.h"
#include "preprocess/volume/triangle_tree.h"

namespace marrow {

std::vector<Index> list_anchored(const PreparedMedial& prepared, const Points& anchors,
                                 const std::string& name) {
  PointMerger merger(anchors.size());
  for (const Vec3& x : anchors) merger.add(x);
  const Index known = merger.count();
  std::vector<Index> points;
  for (size_t i = 0; i < prepared.surface.points.size(); ++i) {
    if (merger.add(prepared.surface.points[i]) >= known) continue;
    const EmbeddedPoint& where = prepared.embedded[i];
    for (int c = 0; c < 4; ++c) {
      if (where.weights[c] > 0) points.push_back(prepared.volume.tets[where.tet][c]);
    }
  }
  if (points.empty()) {
    throw InputError({name, 0, 0, {}}, "none of the anchored points is on the surface",
                     "Select points of the surface.");
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

Points list_handles(const PreparedMedial& prepared, const Mesh& surface, const std::vector<Points>& groups,
                    std::vector<Index>& columns) {
  if (groups.empty()) {
    columns.resize(prepared.medial.points.size());
    std::iota(columns.begin(), columns.end(), 0);
    return prepared.medial.points;
  }
  PointMerger merger(prepared.surface.points.size());
  std::vector<Index> group_of;
  for (size_t g = 0; g < groups.size(); ++g) {
    for (const Vec3& x : groups[g]) {
      const Index number = merger.add(x);
      if (number == static_cast<Index>(group_of.size())) group_of.push_back(static_cast<Index>(g));
    }
  }
  const auto anchored = static_cast<Index>(group_of.size());
  std::vector<Index> group_of_point;  // of the surface
  for (const Vec3& x : prepared.surface.points) {
    const Index number = merger.add(x);
    group_of_point.push_back(number < anchored ? group_of[number] : kNone);
  }
  // Of a triangle: the group of all its corners.
  const auto find_group = [&](const Triangle& t) {
    const Index group = group_of_point[t[0]];
    return group == group_of_point[t[1]] && group == group_of_point[t[2]] ? group : kNone;
  };
  Points handles;
  columns.clear();
  for (size_t j = 0; j < prepared.medial.points.size(); ++j) {
    std::set<Index> found;
    const Vec3& center = prepared.medial.points[j];
    for (const Triangle& t : surface.triangles) {
      const Vec3 nearest = find_nearest_point(center, gather_corners(surface, t));
      if ((nearest - center).norm() <= prepared.medial.radii[j]) found.insert(find_group(t));
    }
    const bool is_anchored = found.size() == 1 && *found.begin() != kNone;
    columns.push_back(is_anchored ? ~*found.begin() : static_cast<Index>(handles.size()));
    if (!is_anchored) handles.push_back(center);
  }
  return handles;
}

void finish_columns(PreparedMedial& prepared, const std::string& name) {
  if (prepared.handles.empty()) {
    throw InputError({name, 0, 0, {}}, "the selected points leave nothing of the body free to move",
                     "Select fewer points; to move a body as a whole, make it an obstacle.");
  }
  for (Index& column : prepared.columns) {
    if (column < 0) column = static_cast<Index>(prepared.handles.size()) + ~column;
  }
}

}  // namespace marrow
