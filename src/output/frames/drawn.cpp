#include "output/frames/drawn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/macros.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;
constexpr double kSteps16 = 65535;

Json to_json(const DrawnRange& range) { return {range.first, range.count}; }

// Appends the elements in the order of their bodies, by drawn point, and records each body's range.
template <class Element>
void append_elements(const std::vector<Element>& elements, const std::vector<Index>& body_of,
                     const std::vector<std::uint32_t>& drawn_of, DrawnRange DrawnBody::*range,
                     DrawnTopology& drawn, std::vector<std::uint32_t>& corners) {
  std::vector<size_t> order(elements.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto body = [&](size_t i) { return body_of[static_cast<size_t>(elements[i][0])]; };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return body(a) < body(b); });
  for (const size_t i : order) {
    ++(drawn.bodies[static_cast<size_t>(body(i))].*range).count;
    for (const Index point : elements[i]) corners.push_back(drawn_of[static_cast<size_t>(point)]);
  }
  size_t first = 0;
  for (DrawnBody& b : drawn.bodies) {
    (b.*range).first = first;
    first += (b.*range).count;
  }
}

template <class Element>
void mark_points(const std::vector<Element>& elements, std::vector<char>& is_drawn) {
  for (const Element& element : elements) {
    for (const Index point : element) is_drawn[static_cast<size_t>(point)] = 1;
  }
}

struct Box {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 upper = -lower;

  void add(const Vec3& p) {
    if (!p.allFinite()) return;
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  bool is_empty() const { return !(lower.x() <= upper.x()); }
};

std::vector<Box> compute_boxes(const DrawnTopology& drawn, std::span<const Vec3> points) {
  std::vector<Box> boxes(drawn.bodies.size());
  for (size_t b = 0; b < boxes.size(); ++b) {
    const DrawnRange& range = drawn.bodies[b].points;
    for (size_t i = 0; i < range.count; ++i) boxes[b].add(points[drawn.run_points[range.first + i]]);
    if (boxes[b].is_empty()) boxes[b].add(Vec3::Zero());
  }
  return boxes;
}

// The box that the viewer frames: that of all bodies but obstacles, or of all if all are obstacles.
Box compute_focus(const DrawnTopology& drawn, const std::vector<Box>& boxes) {
  Box focus, all;
  for (size_t b = 0; b < boxes.size(); ++b) {
    if (drawn.bodies[b].points.count == 0) continue;
    for (const Vec3& corner : {boxes[b].lower, boxes[b].upper}) {
      all.add(corner);
      if (drawn.bodies[b].kind != "obstacle") focus.add(corner);
    }
  }
  return focus.is_empty() ? all : focus;
}

// A number from 0 to 65535; 0 if the value is not finite.
std::uint16_t quantise(double value, double lower, double scale) {
  const double steps = std::round((value - lower) * scale);
  return std::isfinite(steps) ? static_cast<std::uint16_t>(std::clamp(steps, 0.0, kSteps16)) : 0;
}

Json add_positions16(const DrawnTopology& drawn, std::span<const Vec3> points, const std::vector<Box>& boxes,
                     RecordArrays& arrays) {
  std::vector<std::uint16_t> values;
  for (size_t b = 0; b < boxes.size(); ++b) {
    if (drawn.bodies[b].motion != BodyMotion::Free) continue;
    const Vec3 extent = boxes[b].upper - boxes[b].lower;
    const DrawnRange& range = drawn.bodies[b].points;
    for (size_t i = range.first; i < range.first + range.count; ++i) {
      const Vec3& point = points[drawn.run_points[i]];
      for (int axis = 0; axis < 3; ++axis) {
        const double scale = extent[axis] > 0 ? kSteps16 / extent[axis] : 0;
        values.push_back(quantise(point[axis], boxes[b].lower[axis], scale));
      }
    }
  }
  return arrays.add_u16(values, 3);
}

Json add_positions32(const DrawnTopology& drawn, std::span<const Vec3> points, const std::vector<Box>& boxes,
                     RecordArrays& arrays) {
  std::vector<float> values;
  for (size_t b = 0; b < boxes.size(); ++b) {
    if (drawn.bodies[b].motion != BodyMotion::Free) continue;
    const DrawnRange& range = drawn.bodies[b].points;
    for (size_t i = range.first; i < range.first + range.count; ++i) {
      const Vec3 offset = points[drawn.run_points[i]] - boxes[b].lower;
      for (int axis = 0; axis < 3; ++axis) values.push_back(static_cast<float>(offset[axis]));
    }
  }
  return arrays.add_f32(values, 3);
}

// Of the bodies that move freely.
Json add_boxes(const DrawnTopology& drawn, const std::vector<Box>& boxes, RecordArrays& arrays) {
  std::vector<double> values;
  for (size_t b = 0; b < boxes.size(); ++b) {
    if (drawn.bodies[b].motion != BodyMotion::Free) continue;
    values.insert(values.end(), boxes[b].lower.begin(), boxes[b].lower.end());
    values.insert(values.end(), boxes[b].upper.begin(), boxes[b].upper.end());
  }
  return arrays.add_f64(values, 6);
}

// The bodies on which the field is not 0 everywhere.
std::vector<size_t> list_bodies_with(const ScalarField& field, const DrawnTopology& drawn) {
  std::vector<size_t> bodies;
  for (size_t b = 0; b < drawn.bodies.size(); ++b) {
    const DrawnRange& range = drawn.bodies[b].points;
    const auto first = drawn.run_points.begin() + static_cast<std::ptrdiff_t>(range.first);
    const bool has_values = std::any_of(first, first + static_cast<std::ptrdiff_t>(range.count),
                                        [&](std::uint32_t point) { return field.values[point] != 0; });
    if (has_values) bodies.push_back(b);
  }
  return bodies;
}

// A field in 65535 steps between its smallest and largest finite value.
Json add_scalars(const DrawnTopology& drawn, const ScalarField& field, RecordArrays& arrays) {
  double lower = std::numeric_limits<double>::infinity(), upper = -lower;
  for (const std::uint32_t point : drawn.run_points) {
    const double value = field.values[point];
    if (!std::isfinite(value)) continue;
    lower = std::min(lower, value);
    upper = std::max(upper, value);
  }
  if (!(lower <= upper)) lower = upper = 0;
  const double scale = upper > lower ? kSteps16 / (upper - lower) : 0;
  const std::vector<size_t> bodies = list_bodies_with(field, drawn);
  std::vector<std::uint16_t> values;
  for (const size_t b : bodies) {
    const DrawnRange& range = drawn.bodies[b].points;
    for (size_t i = range.first; i < range.first + range.count; ++i) {
      values.push_back(quantise(std::min(field.values[drawn.run_points[i]], upper), lower, scale));
    }
  }
  return {{"name", field.name},
          {"min", lower},
          {"max", upper},
          {"bodies", bodies},
          {"values", arrays.add_u16(values, 1)}};
}

template <size_t N>
Json add_indices(const std::vector<std::array<Index, N>>& elements, RecordArrays& arrays) {
  std::vector<std::uint32_t> corners;
  for (const auto& element : elements) {
    for (const Index i : element) corners.push_back(static_cast<std::uint32_t>(i));
  }
  return arrays.add_u32(corners, N);
}

// In 32 bits, points relative to the origin.
Json add_overlay(const Overlay& overlay, const Vec3& origin, RecordArrays& arrays) {
  std::vector<float> coordinates;
  for (const Vec3& p : overlay.points) {
    for (int axis = 0; axis < 3; ++axis) coordinates.push_back(static_cast<float>(p[axis] - origin[axis]));
  }
  const auto add_floats = [&](const std::vector<double>& values) {
    return arrays.add_f32(std::vector<float>(values.begin(), values.end()), 1);
  };
  Json json = {{"name", overlay.name}, {"points", arrays.add_f32(coordinates, 3)}};
  if (!overlay.radii.empty()) json["radii"] = add_floats(overlay.radii);
  if (!overlay.segments.empty()) json["segments"] = add_indices(overlay.segments, arrays);
  if (!overlay.slabs.empty()) json["slabs"] = add_indices(overlay.slabs, arrays);
  if (!overlay.bodies.empty()) json["bodies"] = add_indices(overlay.bodies, arrays);
  if (!overlay.values.empty()) json["values"] = add_floats(overlay.values);
  return json;
}

// Only what is not as usual.
void add_look(const BodyLook& look, Json& body) {
  if (look.color) body["color"] = fmt::format("#{:06x}", *look.color);
  if (!look.is_visible) body["visible"] = false;
  if (look.radius > 0) body["radius"] = look.radius;
  if (!look.group.empty()) body["group"] = look.group;
}

// Vectors of one size, one after the other.
template <class Vector>
Json add_numbers(const std::vector<Vector>& vectors, RecordArrays& arrays) {
  constexpr int kSize = Vector::RowsAtCompileTime;
  static_assert(sizeof(Vector) == kSize * sizeof(double));
  const double* first = vectors.empty() ? nullptr : vectors.front().data();
  return arrays.add_f64({first, kSize * vectors.size()}, kSize);
}

// The nodes of the bodies that move this way, one body after the other.
std::vector<double> take_nodes(const DrawnTopology& drawn, std::span<const double> nodes, BodyMotion motion) {
  std::vector<double> taken;
  for (const DrawnBody& body : drawn.bodies) {
    if (body.motion != motion) continue;
    MARROW_ASSERT(nodes.size() >= 3 * (body.nodes.first + body.nodes.count));
    const std::span<const double> own = nodes.subspan(3 * body.nodes.first, 3 * body.nodes.count);
    taken.insert(taken.end(), own.begin(), own.end());
  }
  return taken;
}

}  // namespace

DrawnTopology build_drawn(const OutputTopology& topology) {
  DrawnTopology drawn;
  drawn.view = topology.view;
  std::vector<std::array<Index, 1>> loose;
  for (const Index point : find_loose_points(topology)) loose.push_back({point});

  // Number the drawn points, body by body.
  std::vector<char> is_drawn(static_cast<size_t>(count_points(topology)), 0);
  mark_points(topology.triangles, is_drawn);
  mark_points(topology.edges, is_drawn);
  mark_points(loose, is_drawn);
  std::vector<std::uint32_t> drawn_of(is_drawn.size(), 0);
  for (const OutputBody& body : topology.bodies) {
    DrawnBody result{body.name, body.kind,     {drawn.run_points.size(), 0}, {}, {}, {}, 0, body.motion, {},
                     body.look, body.is_ground};
    result.nodes = {static_cast<size_t>(body.first_node), static_cast<size_t>(body.node_count)};
    for (Index p = body.first_point; p < body.first_point + body.point_count; ++p) {
      if (is_drawn[static_cast<size_t>(p)] == 0) continue;
      drawn_of[static_cast<size_t>(p)] = static_cast<std::uint32_t>(drawn.run_points.size());
      drawn.run_points.push_back(static_cast<std::uint32_t>(p));
      ++result.points.count;
      const auto own = static_cast<size_t>(p - body.first_point);
      if (body.motion == BodyMotion::Rest) drawn.rest.push_back(body.rest[own]);
      if (body.motion == BodyMotion::Pose) drawn.weights.push_back(body.weights[own]);
    }
    drawn.bodies.push_back(std::move(result));
  }

  const std::vector<Index> body_of = compute_body_of_points(topology);
  append_elements(topology.triangles, body_of, drawn_of, &DrawnBody::triangles, drawn, drawn.triangles);
  append_elements(topology.edges, body_of, drawn_of, &DrawnBody::edges, drawn, drawn.edges);
  append_elements(loose, body_of, drawn_of, &DrawnBody::vertices, drawn, drawn.vertices);
  for (const Tet& tet : topology.tets) {
    ++drawn.bodies[static_cast<size_t>(body_of[static_cast<size_t>(tet[0])])].tets;
  }
  return drawn;
}

std::string format_topology_record(const DrawnTopology& drawn) {
  Json bodies = Json::array();
  for (const DrawnBody& body : drawn.bodies) {
    bodies.push_back({{"name", body.name},
                      {"kind", body.kind},
                      {"motion", enum_name(body.motion)},
                      {"points", to_json(body.points)},
                      {"triangles", to_json(body.triangles)},
                      {"edges", to_json(body.edges)},
                      {"vertices", to_json(body.vertices)},
                      {"tets", body.tets}});
    add_look(body.look, bodies.back());
    if (body.is_ground) bodies.back()["ground"] = true;
  }
  RecordArrays arrays;
  Json head = {{"bodies", std::move(bodies)},
               {"run_points", arrays.add_u32(drawn.run_points, 1)},
               {"triangles", arrays.add_u32(drawn.triangles, 3)},
               {"edges", arrays.add_u32(drawn.edges, 2)},
               {"vertices", arrays.add_u32(drawn.vertices, 1)},
               {"rest", add_numbers(drawn.rest, arrays)},
               {"weights", add_numbers(drawn.weights, arrays)}};
  if (!drawn.view.empty()) head["view"] = Json::parse(drawn.view);
  return format_record(RecordKind::Topology, 0, 0, head, arrays);
}

std::string format_frame_record(const DrawnTopology& drawn, const Frame& frame, DrawnPrecision precision) {
  const std::vector<Box> boxes = compute_boxes(drawn, frame.points);
  const Box focus = compute_focus(drawn, boxes);
  RecordArrays arrays;
  Json head;
  head["box"] = {focus.lower.x(), focus.lower.y(), focus.lower.z(),
                 focus.upper.x(), focus.upper.y(), focus.upper.z()};
  head["boxes"] = add_boxes(drawn, boxes, arrays);
  head["positions"] = precision == DrawnPrecision::Box16
                          ? add_positions16(drawn, frame.points, boxes, arrays)
                          : add_positions32(drawn, frame.points, boxes, arrays);
  head["poses"] = arrays.add_f64(take_nodes(drawn, frame.nodes, BodyMotion::Pose), 12);
  head["scalars"] = Json::array();
  for (const ScalarField& field : frame.point_scalars) {
    head["scalars"].push_back(add_scalars(drawn, field, arrays));
  }
  head["overlays"] = Json::array();
  const Vec3 origin = focus.is_empty() ? Vec3(Vec3::Zero()) : focus.lower;
  for (const Overlay& overlay : frame.overlays) {
    head["overlays"].push_back(add_overlay(overlay, origin, arrays));
  }
  return format_record(RecordKind::Frame, frame.step, frame.time, head, arrays);
}

RecordSums add_up_points(std::span<const Vec3> points) {
  RecordSums sums;
  sums.add({reinterpret_cast<const char*>(points.data()), points.size_bytes()});
  return sums;
}

std::string format_exact_record(const DrawnTopology& drawn, const Frame& frame) {
  const RecordSums sums = add_up_points(frame.points);
  RecordArrays arrays;
  const Json head = {{"nodes", arrays.add_f64(take_nodes(drawn, frame.nodes, BodyMotion::Free), 3)},
                     {"point_sums", {sums.a, sums.b}}};
  return format_record(RecordKind::Exact, frame.step, frame.time, head, arrays);
}

}  // namespace marrow
