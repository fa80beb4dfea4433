#include "marrow/check_surfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "geometry/mesh_file.h"
#include "geometry/surface.h"

namespace marrow {
namespace {

Triangle sorted(Triangle t) {
  std::sort(t.begin(), t.end());
  return t;
}

// The boundary of the tets, then the listed triangles that are not part of it.
std::vector<Triangle> unite(const std::vector<Tet>& tets, const std::vector<Triangle>& listed) {
  std::vector<Triangle> all = extract_surface(tets);
  std::set<Triangle> known;
  for (const Triangle& t : all) known.insert(sorted(t));
  for (const Triangle& t : listed) {
    if (tets.empty() || known.count(sorted(t)) == 0) all.push_back(t);
  }
  return all;
}

template <class Element>
void mark(const std::vector<Element>& elements, std::vector<char>& used) {
  for (const Element& element : elements) {
    for (const Index v : element) used[static_cast<size_t>(v)] = 1;
  }
}

std::vector<Index> find_unused(const Mesh& mesh) {
  std::vector<char> used(mesh.points.size(), 0);
  mark(mesh.edges, used);
  mark(mesh.triangles, used);
  mark(mesh.tets, used);
  std::vector<Index> unused;
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i] == 0) unused.push_back(static_cast<Index>(i));
  }
  return unused;
}

std::string describe_element(const SurfaceElement& element) {
  return fmt::format("{} {} (body {})", enum_name(element.kind), element.id, element.body);
}

// "1 tet is flat", "3 tets are flat".
std::string count_of(size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

CheckedState make_checked(Mesh mesh) {
  CheckedState state;
  state.surfaces.loose_points = find_unused(mesh);
  state.surfaces.triangles = unite(mesh.tets, mesh.triangles);
  state.surfaces.points = std::move(mesh.points);
  state.surfaces.edges = std::move(mesh.edges);
  state.surfaces.radii = std::move(mesh.radii);
  state.tets = std::move(mesh.tets);
  return state;
}

CheckedState make_checked(const VtuFrame& frame) {
  CheckedState state;
  state.surfaces.points = frame.points;
  state.surfaces.triangles = unite(frame.tets, frame.triangles);
  state.surfaces.edges = frame.edges;
  state.surfaces.loose_points = frame.vertices;
  state.tets = frame.tets;
  for (const VtuFrame::Data& data : frame.point_data) {
    if (data.name != "body" || data.values.size() != frame.points.size()) continue;
    for (const double body : data.values) state.surfaces.bodies.push_back(static_cast<Index>(body));
  }
  return state;
}

CheckedState make_checked(const OutputTopology& topology, const Points& points) {
  CheckedState state;
  state.surfaces.points = points;
  state.surfaces.triangles = unite(topology.tets, topology.triangles);
  state.surfaces.edges = topology.edges;
  state.surfaces.loose_points = find_loose_points(topology);
  state.surfaces.bodies = compute_body_of_points(topology);
  state.tets = topology.tets;
  return state;
}

StateReport check_state(const CheckedState& state) {
  return {check_surfaces(state.surfaces), check_inversions(state.surfaces.points, state.tets)};
}

std::string describe_pair(const OffendingPair& pair) {
  return describe_element(pair.a) + " and " + describe_element(pair.b) +
         (pair.is_undecided ? ": too close to tell" : "");
}

std::string describe_report(const StateReport& report) {
  std::vector<std::string> parts;
  const auto add = [&](auto count, const char* one, const char* many) {
    if (count > 0) parts.push_back(count_of(static_cast<size_t>(count), one, many));
  };
  add(report.surfaces.intersections, "pair of elements intersects", "pairs of elements intersect");
  add(report.surfaces.undecided, "pair is too close to tell", "pairs are too close to tell");
  add(report.surfaces.not_finite.size(), "point is not finite", "points are not finite");
  add(report.tets.inverted.size(), "tet is inverted", "tets are inverted");
  add(report.tets.flat.size(), "tet is flat", "tets are flat");
  if (parts.empty()) parts.emplace_back("no intersections, no inverted tets");
  add(report.surfaces.duplicates, "pair of elements is a duplicate", "pairs of elements are duplicates");
  return fmt::format("{}", fmt::join(parts, ", "));
}

void write_offenders(const std::string& path, const SurfaceSet& surfaces, const IntersectionReport& report) {
  // Each element once, in order.
  std::set<std::pair<ElementKind, Index>> known;
  std::vector<SurfaceElement> elements;
  for (const OffendingPair& pair : report.pairs) {
    for (const SurfaceElement& element : {pair.a, pair.b}) {
      if (known.insert({element.kind, element.id}).second) elements.push_back(element);
    }
  }
  // Its points, numbered anew by first use.
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
    const size_t id = static_cast<size_t>(element.id);
    if (element.kind == ElementKind::Face) {
      const auto [a, b, c] = surfaces.triangles[id];
      mesh.triangles.push_back({number(a), number(b), number(c)});
    } else if (element.kind == ElementKind::Segment) {
      const auto [a, b] = surfaces.edges[id];
      mesh.edges.push_back({number(a), number(b)});
    } else {
      number(element.id);
    }
  }
  write_mesh(path, mesh);
}

}  // namespace marrow
