#include "sim/start/describe_found.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace marrow {
namespace {

std::string describe_element(const SurfaceElement& element, const Kinematics* kinematics) {
  if (kinematics == nullptr)
    return fmt::format("{} {} (body {})", enum_name(element.kind), element.id, element.body);
  const Body& body = kinematics->bodies[static_cast<size_t>(element.body)];
  return fmt::format("{} {} of \"{}\"", enum_name(element.kind),
                     fmt::join(list_own_points(element, body), "-"), body.name);
}

// "1 tet is flat", "3 tets are flat".
std::string count_of(size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::vector<Index> list_own_points(const SurfaceElement& element, const Body& body) {
  std::vector<Index> points;
  for (const Index v : element.vertices) {
    if (v != kNone) points.push_back(v - body.first_point);
  }
  return points;
}

std::string describe_pair(const OffendingPair& pair, const Kinematics* kinematics) {
  return describe_element(pair.a, kinematics) + " and " + describe_element(pair.b, kinematics) +
         (pair.is_undecided ? ": too close to tell" : "");
}

std::string describe_report(const WitnessReport& report) {
  std::vector<std::string> parts;
  const auto add = [&](auto count, const char* one, const char* many) {
    if (count > 0) parts.push_back(count_of(static_cast<size_t>(count), one, many));
  };
  add(report.surfaces.intersections, "pair of elements intersects", "pairs of elements intersect");
  add(report.surfaces.undecided, "pair is too close to tell", "pairs are too close to tell");
  add(report.surfaces.not_finite.size(), "point is not finite", "points are not finite");
  add(report.tets.inverted.size(), "tet is inverted", "tets are inverted");
  add(report.tets.flat.size(), "tet is flat", "tets are flat");
  size_t turned = 0;
  for (const CurvedInversion& found : report.tets.curved) turned += found.is_undecided ? 0 : 1;
  add(turned, "curved tet is turned over somewhere inside", "curved tets are turned over somewhere inside");
  add(report.tets.curved.size() - turned, "curved tet is too close to flat to tell",
      "curved tets are too close to flat to tell");
  if (parts.empty()) parts.emplace_back("no intersections, no inverted tets");
  add(report.surfaces.duplicates, "pair of elements is a duplicate", "pairs of elements are duplicates");
  return fmt::format("{}", fmt::join(parts, ", "));
}

Mesh collect_offenders(const SurfaceSet& surfaces, const IntersectionReport& report) {
  // Each element once, in order.
  std::set<std::pair<ElementKind, Index>> known;
  std::vector<SurfaceElement> elements;
  for (const OffendingPair& pair : report.pairs) {
    for (const SurfaceElement& element : {pair.a, pair.b}) {
      if (known.insert({element.kind, element.id}).second) elements.push_back(element);
    }
  }
  // Its points, numbered again by first use.
  Mesh mesh;
  std::vector<Index> numbers(surfaces.points.size(), kNone);
  const auto number = [&](Index v) {
    Index& n = numbers[static_cast<size_t>(v)];
    if (n == kNone) {
      n = static_cast<Index>(mesh.points.size());
      mesh.points.push_back(surfaces.points[static_cast<size_t>(v)]);
    }
    return n;
  };
  for (const SurfaceElement& element : elements) {
    const auto [a, b, c] = element.vertices;
    if (element.kind == ElementKind::Face) {
      mesh.triangles.push_back({number(a), number(b), number(c)});
    } else if (element.kind == ElementKind::Segment) {
      mesh.edges.push_back({number(a), number(b)});
    } else {
      number(a);
    }
  }
  return mesh;
}

}  // namespace marrow
