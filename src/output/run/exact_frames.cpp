#include "output/run/exact_frames.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "output/run/topology.h"

namespace marrow {
namespace {

using nlohmann::json;

// A record taken apart.
struct OpenRecord {
  json head;
  std::string_view arrays;
};

// The head is no object if the record is damaged.
OpenRecord open_record(const std::string& record) {
  if (!is_sound_record(record)) return {};
  const std::string_view payload = std::string_view(record).substr(kRecordHeader);
  const std::string_view head = record_head(payload);
  return {json::parse(head, nullptr, false), payload.substr(std::min(payload.size(), 8 + head.size()))};
}

// Whether two topologies have the same bodies and points, however they are shown.
bool is_same_topology(const std::string& a, const std::string& b) {
  OpenRecord one = open_record(a), other = open_record(b);
  for (json* head : {&one.head, &other.head}) {
    if (!head->is_object()) return false;
    head->erase("view");
    for (json& body : (*head)["bodies"]) {
      if (!body.is_object()) continue;
      for (const char* key : {"color", "visible", "radius", "group"}) body.erase(key);
    }
  }
  return one.head == other.head && one.arrays == other.arrays;
}

// The numbers of an array; empty if it is not of this type and size.
template <class T>
std::vector<T> take_numbers(const OpenRecord& record, const json& info, const char* type, size_t count) {
  if (!info.is_object() || info.value("type", "") != type) return {};
  const auto number = [&](const char* key) {
    const auto found = info.find(key);
    return found != info.end() && found->is_number_unsigned() ? found->get<size_t>() : 0;
  };
  if (number("count") * number("components") != count) return {};
  const size_t start = number("offset"), size = count * sizeof(T);
  if (start > record.arrays.size() || size > record.arrays.size() - start) return {};
  std::vector<T> numbers(count);
  if (size > 0) std::memcpy(numbers.data(), record.arrays.data() + start, size);
  return numbers;
}

}  // namespace

ExactFrames::ExactFrames(const std::string& path, const Model& model)
    : path_(path), model_(model), reader_(path), drawn_(build_drawn(make_topology(model))) {
  reader_.update();
  is_complete_ =
      reader_.has_topology() && is_same_topology(reader_.read_topology(), format_topology_record(drawn_));
  for (size_t i = 0; i < size(); ++i) is_complete_ = is_complete_ && reader_.has_exact(i);
}

void ExactFrames::fail(const std::string& problem) const {
  throw InputError({path_, 0, 0, {}}, problem, "Run the scene again, or check the frames in VTU files.");
}

// Puts the nodes of the bodies that move this way in their places.
void ExactFrames::take_record(const std::string& record, const char* array, BodyMotion motion, VecX& nodes,
                              RecordSums& sums) const {
  const OpenRecord open = open_record(record);
  if (!open.head.is_object()) fail("is damaged");
  size_t count = 0;
  for (const DrawnBody& body : drawn_.bodies) count += body.motion == motion ? 3 * body.nodes.count : 0;
  const std::vector<double> numbers =
      take_numbers<double>(open, open.head.value(array, json()), "f64", count);
  if (numbers.size() != count) fail(fmt::format("has a record without the {} of its bodies", array));
  const double* next = numbers.data();
  for (const DrawnBody& body : drawn_.bodies) {
    if (body.motion != motion) continue;
    const auto first = static_cast<Index>(3 * body.nodes.first),
               length = static_cast<Index>(3 * body.nodes.count);
    nodes.segment(first, length) = Eigen::Map<const VecX>(next, length);
    next += length;
  }
  const json written = open.head.value("point_sums", json());
  if (written.is_array() && written.size() == 2 && written[0].is_number_unsigned() &&
      written[1].is_number_unsigned()) {
    sums = {written[0], written[1]};
  }
}

VecX ExactFrames::read_nodes(size_t frame) const {
  VecX nodes = model_.initial_nodes;
  RecordSums sums;
  take_record(reader_.read_frame(frame), "poses", BodyMotion::Pose, nodes, sums);
  const std::string exact = reader_.read_exact(frame);
  if (exact.empty()) fail(fmt::format("has no exact frame of step {}", step(frame)));
  take_record(exact, "nodes", BodyMotion::Free, nodes, sums);
  Points points;
  compute_points(model_.kinematics, nodes, points);
  const RecordSums found = add_up_points(points);
  if (found.a != sums.a || found.b != sums.b) {
    fail(fmt::format("step {}: the points do not add up to those that the run had", step(frame)));
  }
  return nodes;
}

std::vector<ExactFrames::Field> ExactFrames::read_fields(size_t frame) const {
  const std::string record = reader_.read_frame(frame);
  const OpenRecord open = open_record(record);
  std::vector<Field> fields;
  const json scalars = open.head.is_object() ? open.head.value("scalars", json::array()) : json::array();
  for (const json& scalar : scalars) {
    Field field{scalar.value("name", ""),
                std::vector<double>(static_cast<size_t>(model_.kinematics.point_count))};
    std::vector<size_t> points;
    for (const size_t body : scalar.value("bodies", std::vector<size_t>())) {
      if (body >= drawn_.bodies.size()) fail("is damaged");
      const DrawnRange& range = drawn_.bodies[body].points;
      for (size_t i = range.first; i < range.first + range.count; ++i) points.push_back(drawn_.run_points[i]);
    }
    const auto values =
        take_numbers<std::uint16_t>(open, scalar.value("values", json()), "u16", points.size());
    if (values.size() != points.size()) fail(fmt::format("has a damaged field {}", field.name));
    const double lower = scalar.value("min", 0.0), upper = scalar.value("max", 0.0);
    for (size_t i = 0; i < points.size(); ++i)
      field.values[points[i]] = lower + (upper - lower) * values[i] / 65535;
    fields.push_back(std::move(field));
  }
  return fields;
}

Points ExactFrames::read_points(size_t frame) const {
  Points points;
  compute_points(model_.kinematics, read_nodes(frame), points);
  return points;
}

}  // namespace marrow
