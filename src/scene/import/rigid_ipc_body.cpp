#include "scene/import/rigid_ipc_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/disjoint_sets.h"
#include "mesh/io/mesh_file.h"
#include "mesh/point_box.h"
#include "scene/json/read_fields.h"

namespace marrow {
namespace {

constexpr const char* kPlaneAdvice = "Only fixtures in three dimensions can be read.";

void refuse_plane(const JsonNode& body) {
  for (const char* key : {"position", "linear_velocity", "force"}) {
    const auto node = body.member(key);
    if (node && node->kind() == JsonNode::Kind::List && node->size() == 2)
      body.fail_at_key(key, "has two coordinates: the fixture is two-dimensional", kPlaneAdvice);
  }
  const auto vertices = body.member("vertices");
  if (!vertices || vertices->kind() != JsonNode::Kind::List || vertices->size() == 0) return;
  const JsonNode first = vertices->element(0);
  if (first.kind() == JsonNode::Kind::List && first.size() == 2)
    body.fail_at_key("vertices", "have two coordinates: the fixture is two-dimensional", kPlaneAdvice);
}

// A vector, or one number for all three of its coordinates.
Vec3 read_scale(const JsonNode& node) {
  const Field field = {.doc = "A factor, or one along each axis."};
  if (node.kind() == JsonNode::Kind::Number) return Vec3::Constant(node.number());
  Vec3 scale;
  read_plain(node, {"scale", field}, scale);
  return scale;
}

// A list of six, or one value for all.
std::array<bool, 6> read_fixed(const JsonNode& node) {
  std::array<bool, 6> is_fixed = {};
  if (node.kind() == JsonNode::Kind::Boolean) {
    is_fixed.fill(node.boolean());
    return is_fixed;
  }
  if (node.kind() != JsonNode::Kind::List || node.size() != 6) {
    node.fail("should be true, false or a list of six of these, found " + node.found(),
              "The first three are for translation along x, y and z, the others for rotation about them.");
  }
  for (int k = 0; k < 6; ++k) {
    if (node.element(k).kind() != JsonNode::Kind::Boolean) {
      node.element(k).fail("should be true or false, found " + node.element(k).found(), "");
    }
    is_fixed[static_cast<size_t>(k)] = node.element(k).boolean();
  }
  return is_fixed;
}

template <size_t N>
void append_elements(const std::vector<std::vector<int>>& lists, size_t point_count, const JsonNode& node,
                     const char* key, std::vector<std::array<Index, N>>& elements) {
  for (const std::vector<int>& list : lists) {
    const bool is_right = list.size() == N && std::all_of(list.begin(), list.end(), [&](int i) {
                            return i >= 0 && static_cast<size_t>(i) < point_count;
                          });
    if (!is_right) {
      node.fail_at_key(key, fmt::format("should be lists of {} numbers of vertices below {}", N, point_count),
                       "Count the vertices from 0.");
    }
    std::array<Index, N> element = {};
    std::copy(list.begin(), list.end(), element.begin());
    elements.push_back(element);
  }
}

}  // namespace

bool RigidIpcBody::is_obstacle() const {
  return type != RigidIpcType::Dynamic ||
         std::all_of(is_fixed.begin(), is_fixed.end(), [](bool b) { return b; });
}

bool is_known_body_key(const std::string& key) {
  RigidIpcBody body;
  FieldNames known{{"scale", "dimensions", "is_dof_fixed", "oriented", "ipc_comparison_enabled"}};
  visit_fields(known, body);
  return std::find(known.names.begin(), known.names.end(), key) != known.names.end();
}

RigidIpcBody read_rigid_ipc_body(const JsonNode& node) {
  check_object(node, "an object, one body");
  refuse_plane(node);
  RigidIpcBody body;
  FieldReader reader{node};
  visit_fields(reader, body);
  if (const auto scale = node.member("scale")) body.scale = read_scale(*scale);
  if (const auto dimensions = node.member("dimensions")) body.dimensions = read_scale(*dimensions);
  if (const auto fixed = node.member("is_dof_fixed")) body.is_fixed = read_fixed(*fixed);
  // What does not move by itself needs no mass.
  if (body.enabled && !body.is_obstacle() && !(body.density > 0)) {
    node.fail_at_key("density", fmt::format("must be above 0 kg/m³, found {}", body.density),
                     "Only static and kinematic bodies may be without mass.");
  }
  return body;
}

Mesh load_rigid_ipc_mesh(const RigidIpcBody& body, const JsonNode& node, const std::string& mesh_file) {
  if (!body.mesh.empty()) return read_mesh(mesh_file);
  if (body.vertices.empty()) node.fail("has neither a mesh nor vertices", "Give one of them.");
  Mesh mesh;
  mesh.points = body.vertices;
  append_elements<2>(body.edges, mesh.points.size(), node, "edges", mesh.edges);
  append_elements<3>(body.faces, mesh.points.size(), node, "faces", mesh.triangles);
  return mesh;
}

Vec3 compute_rigid_ipc_scale(const RigidIpcBody& body, const Mesh& mesh) {
  const Eigen::AlignedBox3d box = compute_box(mesh.points);
  Vec3 scale = body.scale;
  for (int k = 0; k < 3; ++k) {
    if (body.dimensions && box.sizes()[k] > 0) scale[k] = (*body.dimensions)[k] / box.sizes()[k];
    // Along an axis on which the mesh is flat every factor is the same.
    const bool is_flat = box.sizes()[k] == 0 && box.min()[k] == 0;
    if (is_flat) scale[k] = 1;
  }
  return scale;
}

int drop_double_triangles(Mesh& mesh) {
  std::set<Triangle> seen;
  const auto is_double = [&](Triangle t) {
    std::sort(t.begin(), t.end());
    return !seen.insert(t).second;
  };
  return static_cast<int>(std::erase_if(mesh.triangles, is_double));
}

std::vector<Mesh> split_components(const Mesh& mesh) {
  DisjointSets sets(mesh.points.size());
  for (const Triangle& t : mesh.triangles) {
    for (size_t k = 1; k < 3; ++k) sets.join(static_cast<size_t>(t[0]), static_cast<size_t>(t[k]));
  }
  std::map<size_t, size_t> part_of;  // in the order of the first triangle
  std::vector<Mesh> parts;
  std::vector<Index> number(mesh.points.size(), kNone);
  for (Triangle t : mesh.triangles) {
    const auto [part, is_new] = part_of.emplace(sets.find(static_cast<size_t>(t[0])), parts.size());
    if (is_new) parts.emplace_back();
    Mesh& piece = parts[part->second];
    for (Index& i : t) {
      if (number[i] == kNone) {
        number[i] = static_cast<Index>(piece.points.size());
        piece.points.push_back(mesh.points[i]);
      }
      i = number[i];
    }
    piece.triangles.push_back(t);
  }
  return parts;
}

}  // namespace marrow
