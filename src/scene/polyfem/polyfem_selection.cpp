#include "scene/polyfem/polyfem_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "core/file.h"
#include "scene/polyfem/polyfem_values.h"

namespace marrow {
namespace {

using Kind = JsonNode::Kind;
using Box = Eigen::AlignedBox3d;

// Within this distance a face lies in a side of the box if the scene gives a threshold below 0.
constexpr double kSideThreshold = 1e-7;

bool is_relative(const JsonNode& node) {
  const auto relative = polyfem_member(node, "relative");
  return relative && read_polyfem_flag(*relative, "true or false");
}

Vec3 read_place(const JsonNode& node, bool is_relative, const Box& box) {
  const Vec3 place = read_polyfem_vector(node, "a point [x, y, z]");
  return is_relative ? Vec3(box.min() + box.sizes().cwiseProduct(place)) : place;
}

JsonNode require(const JsonNode& node, const char* key) {
  const auto member = polyfem_member(node, key);
  if (!member) node.fail(fmt::format("the key \"{}\" is missing", key), "");
  return *member;
}

int read_id(const JsonNode& node) {
  return read_polyfem_integer(require(node, "id"), "a whole number, the id");
}

// 1 to 3 or "x" to "z"; with a minus sign the region is below the position.
int read_axis(const JsonNode& node) {
  if (node.kind() == Kind::Text) {
    const std::string text = node.text();
    const bool is_negative = text.size() == 2 && text[0] == '-';
    const char name = text.empty() ? '\0' : text.back();
    if ((text.size() == 1 || is_negative) && name >= 'x' && name <= 'z') {
      return (is_negative ? -1 : 1) * (name - 'x' + 1);
    }
  } else if (node.kind() == Kind::Number) {
    const int axis = read_polyfem_integer(node, "an axis");
    if (axis != 0 && std::abs(axis) <= 3) return axis;
  }
  node.fail("found " + node.found() + ", wanted an axis",
            "Axes are 1, 2, 3 or \"x\", \"y\", \"z\", or these with a minus sign.");
}

// The side of the box that the place is in, numbered as PolyFEM does.
int find_side(const Vec3& p, const Box& box, double threshold) {
  const auto is_near = [&](double a, double b) { return std::abs(a - b) < threshold; };
  if (is_near(p.x(), box.min().x())) return 1;
  if (is_near(p.y(), box.min().y())) return 2;
  if (is_near(p.x(), box.max().x())) return 3;
  if (is_near(p.y(), box.max().y())) return 4;
  if (is_near(p.z(), box.min().z())) return 5;
  if (is_near(p.z(), box.max().z())) return 6;
  return 7;
}

}  // namespace

PolyfemSelection::Region PolyfemSelection::read_region(const JsonNode& node, const Box& box) {
  if (node.kind() != Kind::Object)
    node.fail("found " + node.found() + ", wanted a selection { \"id\": …, … }", "");
  const auto where = [](int id, auto contains) {
    return
        [=](const Vec3& p, const Triangle&) { return contains(p) ? std::optional<int>(id) : std::nullopt; };
  };
  const bool relative = is_relative(node);
  if (const auto corners = polyfem_member(node, "box")) {
    check_polyfem_keys(node, {"id", "box", "relative"});
    if (corners->kind() != Kind::List || corners->size() != 2)
      corners->fail("found " + corners->found() + ", wanted two corners [[x, y, z], [x, y, z]]", "");
    const Box region(read_place(corners->element(0), relative, box),
                     read_place(corners->element(1), relative, box));
    return where(read_id(node), [=](const Vec3& p) { return region.contains(p); });
  }
  if (const auto threshold = polyfem_member(node, "threshold")) {
    check_polyfem_keys(node, {"id", "threshold", "id_offset", "relative"});
    double width = read_polyfem_number(*threshold, "a distance");
    if (width < 0) width = kSideThreshold;
    const auto member = polyfem_member(node, "id_offset");
    const int offset = member ? read_polyfem_integer(*member, "a whole number") : 0;
    return
        [=](const Vec3& p, const Triangle&) { return std::optional<int>(find_side(p, box, width) + offset); };
  }
  if (const auto middle = polyfem_member(node, "center")) {
    check_polyfem_keys(node, {"id", "center", "radius", "relative"});
    const Vec3 center = read_place(*middle, relative, box);
    const double radius =
        read_polyfem_number(require(node, "radius"), "a radius") * (relative ? box.sizes().norm() : 1);
    return where(read_id(node), [=](const Vec3& p) { return (p - center).norm() <= radius; });
  }
  if (const auto size = polyfem_member(node, "radius")) {
    check_polyfem_keys(node, {"id", "p1", "p2", "radius", "relative"});
    const Vec3 from = read_place(require(node, "p1"), relative, box),
               to = read_place(require(node, "p2"), relative, box);
    const double radius = read_polyfem_number(*size, "a radius") * (relative ? box.sizes().norm() : 1);
    const Vec3 axis = (to - from).normalized();
    const double height = (to - from).norm();
    return where(read_id(node), [=](const Vec3& p) {
      const double along = axis.dot(p - from);
      return along >= 0 && along <= height && (p - from - along * axis).norm() <= radius;
    });
  }
  if (const auto direction = polyfem_member(node, "axis")) {
    check_polyfem_keys(node, {"id", "axis", "position", "relative"});
    const int axis = read_axis(*direction), k = std::abs(axis) - 1;
    double position = read_polyfem_number(require(node, "position"), "a position along the axis");
    if (relative) position = box.min()[k] + position * box.sizes()[k];
    return where(read_id(node),
                 [=](const Vec3& p) { return axis > 0 ? p[k] >= position : p[k] <= position; });
  }
  if (const auto direction = polyfem_member(node, "normal")) {
    check_polyfem_keys(node, {"id", "normal", "point", "offset", "relative"});
    const Vec3 normal = read_polyfem_vector(*direction, "a direction").normalized();
    const auto at = polyfem_member(node, "point"), offset = polyfem_member(node, "offset");
    const Vec3 point = at ? read_place(*at, relative, box)
                          : Vec3((offset ? read_polyfem_number(*offset, "a distance") : 0) * normal);
    return where(read_id(node), [=](const Vec3& p) { return (p - point).dot(normal) >= 0; });
  }
  check_polyfem_keys(node, {"id"});
  return where(read_id(node), [](const Vec3&) { return true; });
}

PolyfemSelection::Region PolyfemSelection::read_listed_faces(const JsonNode& node, const PolyfemFile& file) {
  const std::string path = file.find(node.text());
  if (path.empty())
    node.fail(fmt::format("the file {} is missing", node.text()), "It would list faces with their ids.");
  std::map<Triangle, int> ids;
  std::istringstream lines(read_file(path));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::istringstream words(line);
    int id = 0;
    Triangle corners{};
    std::string rest;
    if (!(words >> id >> corners[0] >> corners[1] >> corners[2]) || words >> rest) {
      throw InputError({path, number, 0, {}}, "is not a face: an id and the numbers of three corners",
                       "Only lists of triangles with their ids can be read.");
    }
    std::sort(corners.begin(), corners.end());
    ids[corners] = id;
  }
  return [ids](const Vec3&, const Triangle& corners) {
    Triangle sorted = corners;
    std::sort(sorted.begin(), sorted.end());
    const auto found = ids.find(sorted);
    return found == ids.end() ? std::nullopt : std::optional<int>(found->second);
  };
}

PolyfemSelection::PolyfemSelection(const JsonNode& node, const Box& box, const PolyfemFile& file) {
  if (node.kind() == Kind::Number) {
    const int id = read_polyfem_integer(node, "a whole number, the id");
    regions_.push_back([id](const Vec3&, const Triangle&) { return std::optional<int>(id); });
    return;
  }
  if (node.kind() == Kind::Text) {
    regions_.push_back(read_listed_faces(node, file));
    return;
  }
  for (const JsonNode& element : list_polyfem_elements(node)) regions_.push_back(read_region(element, box));
}

int PolyfemSelection::find(const Vec3& place, Triangle corners) const {
  for (const Region& region : regions_) {
    if (const auto id = region(place, corners)) return *id;
  }
  return kNoPolyfemId;
}

}  // namespace marrow
