#include "witness/checker.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exact/predicates.h"
#include "exact/radii.h"
#include "exec/parallel.h"
#include "mesh/surface.h"
#include "witness/checker_boxes.h"
#include "witness/checker_pairs.h"

namespace marrow {
namespace {

using checker::Element;

std::vector<Element> list_elements(const SurfaceSet& surfaces) {
  std::vector<Element> elements;
  for (size_t i = 0; i < surfaces.triangles.size(); ++i) {
    const auto [a, b, c] = surfaces.triangles[i];
    elements.push_back({ElementKind::Face, static_cast<Index>(i), exact::make_simplex(a, b, c)});
  }
  for (size_t i = 0; i < surfaces.edges.size(); ++i) {
    const auto [a, b] = surfaces.edges[i];
    elements.push_back({ElementKind::Segment, static_cast<Index>(i), exact::make_simplex(a, b)});
  }
  for (const Index p : surfaces.loose_points) {
    elements.push_back({ElementKind::Point, p, exact::make_simplex(p)});
  }
  return elements;
}

// Elements that can touch in a motion: every point, every edge, every triangle.
struct MovingElements {
  std::vector<Element> triangles;
  std::vector<Element> edges;
  std::vector<Element> points;  // of triangles, then loose
  size_t first_loose = 0;
};

MovingElements list_moving(const SurfaceSet& surfaces) {
  MovingElements moving;
  SurfaceSet part;
  part.triangles = surfaces.triangles;
  moving.triangles = list_elements(part);
  part = {};
  part.edges = surfaces.edges;
  for (const Edge& e : unique_edges(surfaces.triangles)) part.edges.push_back(e);
  moving.edges = list_elements(part);
  // Every point of an edge or a triangle, in order.
  part = {};
  for (const Element& e : moving.edges) {
    for (int i = 0; i < e.simplex.count; ++i) part.loose_points.push_back(e.simplex[i]);
  }
  for (const Element& t : moving.triangles) {
    for (int i = 0; i < t.simplex.count; ++i) part.loose_points.push_back(t.simplex[i]);
  }
  std::sort(part.loose_points.begin(), part.loose_points.end());
  part.loose_points.erase(std::unique(part.loose_points.begin(), part.loose_points.end()),
                          part.loose_points.end());
  moving.first_loose = part.loose_points.size();
  for (const Index p : surfaces.loose_points) part.loose_points.push_back(p);
  moving.points = list_elements(part);
  return moving;
}

bool shares_vertex(const exact::Simplex& A, const exact::Simplex& B) {
  for (int i = 0; i < A.count; ++i) {
    if (B.has(A[i])) return true;
  }
  return false;
}

// Whether the radii of this pair count.
bool has_radii(const SurfaceSet& surfaces, const CheckerOptions& options, const Element& a,
               const Element& b) {
  if (surfaces.radii.empty() || shares_vertex(a.simplex, b.simplex)) return false;
  const Index body = checker::body_of(surfaces, a);
  if (body == checker::body_of(surfaces, b) && !options.radii_within_body &&
      !checker::is_of_balls(options, body)) {
    return false;
  }
  return checker::largest_radius(surfaces, a) > 0 || checker::largest_radius(surfaces, b) > 0;
}

checker::Verdict to_verdict(exact::Gap gap) {
  if (gap == exact::Gap::Separated) return {};
  return {.is_offending = true, .is_undecided = gap == exact::Gap::Undecided};
}

bool are_duplicates(const exact::Simplex& A, const exact::Simplex& B) {
  if (A.count != B.count) return false;
  for (int i = 0; i < A.count; ++i) {
    if (!B.has(A[i])) return false;
  }
  return true;
}

}  // namespace

IntersectionReport check_surfaces(const SurfaceSet& surfaces, const CheckerOptions& options) {
  const std::vector<Element> elements = list_elements(surfaces);
  const auto test = [&](const Element& a, const Element& b) -> checker::Verdict {
    if (are_duplicates(a.simplex, b.simplex)) return {.is_duplicate = true};
    if (has_radii(surfaces, options, a, b)) {
      return to_verdict(exact::classify_gap(surfaces.points, surfaces.radii, a.simplex, b.simplex));
    }
    return {.is_offending =
                exact::meet_beyond_shared(exact::PointSigns{surfaces.points}, a.simplex, b.simplex)};
  };
  checker::PairSearch search{surfaces, options, {&surfaces.points}};
  search.find_points_not_finite();
  search.add_pairs_within(elements, test);
  return std::move(search.report);
}

TrajectoryReport check_motion(const SurfaceSet& surfaces, const Points& x0, const Points& x1,
                              const CheckerOptions& options) {
  const exact::Motion motion{x0, x1};
  const auto test = [&](const Element& a, const Element& b) -> checker::Verdict {
    if (shares_vertex(a.simplex, b.simplex)) return {};
    if (has_radii(surfaces, options, a, b)) {
      return to_verdict(exact::classify_gap(motion, surfaces.radii, a.simplex, b.simplex));
    }
    const std::optional<double> time = exact::find_meeting(motion, a.simplex, b.simplex);
    return {.is_offending = time.has_value(), .time = time.value_or(0)};
  };
  const MovingElements moving = list_moving(surfaces);
  const std::vector<Element> loose(moving.points.begin() + static_cast<std::ptrdiff_t>(moving.first_loose),
                                   moving.points.end());
  checker::PairSearch search{surfaces, options, {&x0, &x1}};
  search.find_points_not_finite();
  search.add_pairs_between(moving.triangles, moving.points, test);
  search.add_pairs_within(moving.edges, test);
  search.add_pairs_between(moving.edges, loose, test);
  search.add_pairs_within(loose, test);
  return std::move(search.report);
}

InversionReport check_inversions(const Points& points, const std::vector<Tet>& tets) {
  std::vector<signed char> signs(tets.size());
  exec::parallel_for("checker.inversions", tets.size(), [&](size_t i) {
    const auto at = [&](size_t corner) -> const Vec3& {
      return points[static_cast<size_t>(tets[i][corner])];
    };
    const bool is_finite = at(0).allFinite() && at(1).allFinite() && at(2).allFinite() && at(3).allFinite();
    signs[i] = static_cast<signed char>(is_finite ? orient3_sign(at(0), at(1), at(2), at(3)) : -1);
  });
  InversionReport report;
  for (size_t i = 0; i < tets.size(); ++i) {
    if (signs[i] < 0) report.inverted.push_back(static_cast<Index>(i));
    if (signs[i] == 0) report.flat.push_back(static_cast<Index>(i));
  }
  return report;
}

InversionReport check_plane_inversions(const Points& points, const std::vector<Triangle>& triangles) {
  InversionReport report;
  for (size_t i = 0; i < triangles.size(); ++i) {
    const auto at = [&](size_t corner) -> const Vec3& {
      return points[static_cast<size_t>(triangles[i][corner])];
    };
    const bool is_finite = at(0).allFinite() && at(1).allFinite() && at(2).allFinite();
    const int sign = is_finite ? orient2_sign(2, at(0), at(1), at(2)) : -1;
    if (sign < 0) report.inverted.push_back(static_cast<Index>(i));
    if (sign == 0) report.flat.push_back(static_cast<Index>(i));
  }
  return report;
}

}  // namespace marrow
