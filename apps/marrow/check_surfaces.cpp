#include "marrow/check_surfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "geometry/mesh_file.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kJsonPairs = 1000;

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

// The numbers of an element's points in its body.
std::vector<Index> list_own_points(const SurfaceElement& element, const Body& body) {
  std::vector<Index> points;
  for (const Index v : element.vertices) {
    if (v != kNone) points.push_back(v - body.first_point);
  }
  return points;
}

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

Json element_to_json(const SurfaceElement& element, const Kinematics* kinematics) {
  Json vertices = Json::array();
  for (const Index v : element.vertices) {
    if (v != kNone) vertices.push_back(v);
  }
  Json json = {
      {"kind", enum_name(element.kind)}, {"id", element.id}, {"body", element.body}, {"vertices", vertices}};
  if (kinematics == nullptr) return json;
  const Body& body = kinematics->bodies[static_cast<size_t>(element.body)];
  json["name"] = body.name;
  json["points"] = list_own_points(element, body);
  return json;
}

// The elements of the offending pairs, each once.
Mesh collect_offenders(const SurfaceSet& surfaces, const IntersectionReport& report) {
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

}  // namespace

Witness make_witness(Mesh mesh) {
  SurfaceSet surfaces;
  surfaces.loose_points = find_unused(mesh);
  surfaces.triangles = unite_surfaces(mesh.tets, mesh.triangles);
  surfaces.points = std::move(mesh.points);
  surfaces.edges = std::move(mesh.edges);
  surfaces.radii = std::move(mesh.radii);
  return Witness({std::move(surfaces), std::move(mesh.tets)});
}

Witness make_witness(const VtuFrame& frame) {
  SurfaceSet surfaces;
  surfaces.points = frame.points;
  surfaces.triangles = unite_surfaces(frame.tets, frame.triangles);
  surfaces.edges = frame.edges;
  surfaces.loose_points = frame.vertices;
  for (const VtuFrame::Data& data : frame.point_data) {
    if (data.name != "body" || data.values.size() != frame.points.size()) continue;
    for (const double body : data.values) surfaces.bodies.push_back(static_cast<Index>(body));
  }
  return Witness({std::move(surfaces), frame.tets});
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
  if (parts.empty()) parts.emplace_back("no intersections, no inverted tets");
  add(report.surfaces.duplicates, "pair of elements is a duplicate", "pairs of elements are duplicates");
  return fmt::format("{}", fmt::join(parts, ", "));
}

nlohmann::ordered_json to_json(const WitnessReport& report, const Kinematics* kinematics) {
  Json pairs = Json::array();
  for (size_t i = 0; i < std::min(kJsonPairs, report.surfaces.pairs.size()); ++i) {
    const OffendingPair& pair = report.surfaces.pairs[i];
    pairs.push_back({{"a", element_to_json(pair.a, kinematics)},
                     {"b", element_to_json(pair.b, kinematics)},
                     {"undecided", pair.is_undecided}});
  }
  return {{"intersections", report.surfaces.intersections},
          {"undecided", report.surfaces.undecided},
          {"duplicates", report.surfaces.duplicates},
          {"not_finite", report.surfaces.not_finite.size()},
          {"inversions", report.tets.inverted.size()},
          {"flat", report.tets.flat.size()},
          {"pairs", pairs}};
}

void print_pairs(const IntersectionReport& report, const Kinematics* kinematics) {
  for (size_t i = 0; i < std::min(kShownPairs, report.pairs.size()); ++i) {
    fmt::print("  {}\n", describe_pair(report.pairs[i], kinematics));
  }
  if (report.pairs.size() > kShownPairs) {
    fmt::print("  and {} more\n", report.intersections + report.undecided - static_cast<long>(kShownPairs));
  }
}

void write_offenders(const std::string& path, const SurfaceSet& surfaces, const IntersectionReport& report) {
  write_mesh(path, collect_offenders(surfaces, report));
}

std::string write_offenders(const CheckArguments& arguments, const SurfaceSet& surfaces,
                            const IntersectionReport& report) {
  if (report.pairs.empty()) return {};
  std::filesystem::path name = std::filesystem::path(arguments.path).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  const std::string path =
      arguments.write.empty() ? name.stem().string() + ".intersections.ply" : arguments.write;
  write_offenders(path, surfaces, report);
  return path;
}

}  // namespace marrow
