#include "scene/polyfem/polyfem_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <numbers>
#include <set>

#include "geometry/curved/mesh_order.h"
#include "math/rotation.h"
#include "mesh/io/curved_file.h"
#include "mesh/mend.h"
#include "mesh/point_box.h"
#include "mesh/refine.h"
#include "mesh/surface.h"
#include "scene/polyfem/polyfem_values.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;
using Kind = JsonNode::Kind;

Mat3 turn_about(int axis, double degrees) {
  return Eigen::AngleAxisd(degrees * kRadians, Vec3::Unit(axis)).toRotationMatrix();
}

Mat3 read_rotation(const JsonNode& transformation) {
  const auto rotation = polyfem_member(transformation, "rotation");
  if (!rotation) return Mat3::Identity();
  if (rotation->kind() == Kind::List && rotation->size() == 0) return Mat3::Identity();
  const auto named = polyfem_member(transformation, "rotation_mode");
  std::string mode = named ? read_polyfem_text(*named, "a rotation mode such as \"xyz\"") : "xyz";
  std::transform(mode.begin(), mode.end(), mode.begin(), [](unsigned char c) { return std::tolower(c); });
  const bool is_four = mode == "axis_angle" || mode == "quaternion";
  if (is_four) {
    if (rotation->kind() != Kind::List || rotation->size() != 4)
      rotation->fail("found " + rotation->found() + ", wanted 4 numbers for " + mode, "");
    Eigen::Vector4d r;
    for (int k = 0; k < 4; ++k) r[k] = read_polyfem_number(rotation->element(k), "a number");
    if (mode == "axis_angle")
      return Eigen::AngleAxisd(r[0] * kRadians, r.tail<3>().normalized()).toRotationMatrix();
    return Eigen::Quaterniond(r.normalized()).toRotationMatrix();  // x, y, z, w
  }
  const bool is_one = rotation->kind() == Kind::Number;
  Vec3 r = Vec3::Zero();
  if (!is_one) r = read_polyfem_vector(*rotation, "three angles in degrees");
  if (mode == "rotation_vector") return rotation_from_vector(r * kRadians);
  Mat3 R = Mat3::Identity();
  for (const char axis : mode) {
    if (axis < 'x' || axis > 'z' || mode.size() > 3) {
      named->fail(fmt::format("the rotation mode \"{}\" is not known", mode),
                  "Known are orders of axes such as xyz, axis_angle, quaternion and rotation_vector.");
    }
    const double angle = is_one ? read_polyfem_number(*rotation, "an angle in degrees") : r[axis - 'x'];
    R = turn_about(axis - 'x', angle) * R;
  }
  return R;
}

// Factors along the axes of the mesh, of these sizes.
Vec3 read_scale(const JsonNode& transformation, const Vec3& sizes) {
  if (const auto dimensions = polyfem_member(transformation, "dimensions")) {
    const Vec3 wanted = read_polyfem_vector(*dimensions, "three sizes in m");
    return wanted.cwiseQuotient((sizes.array() == 0).select(1, sizes));
  }
  const auto scale = polyfem_member(transformation, "scale");
  if (!scale) return Vec3::Ones();
  if (scale->kind() == Kind::List && scale->size() == 0) return Vec3::Ones();
  if (scale->kind() == Kind::List) return read_polyfem_vector(*scale, "a factor, or three");
  return Vec3::Constant(read_polyfem_number(*scale, "a factor, or three"));
}

// Places the body; what is flat along an axis may be scaled by 0 there.
void read_transformation(const JsonNode& node, const Mesh& mesh, BodyDescription& body) {
  const auto transformation = polyfem_member(node, "transformation");
  if (!transformation) return;
  check_polyfem_keys(*transformation, {"translation", "rotation", "rotation_mode", "scale", "dimensions"});
  const Eigen::AlignedBox3d box = compute_box(mesh.points);
  const Mat3 R = read_rotation(*transformation);
  body.rotation = degrees_from_rotation(R);
  body.scale = read_scale(*transformation, box.sizes());
  if (const auto translation = polyfem_member(*transformation, "translation")) {
    if (translation->kind() != Kind::List || translation->size() != 0)
      body.position = read_polyfem_vector(*translation, "a translation in m");
  }
  for (int k = 0; k < 3; ++k) {
    const bool is_flat = box.sizes()[k] == 0;
    if (body.scale[k] == 0 && is_flat) {
      body.scale[k] = 1;
      body.position -= R.col(k) * box.min()[k];
    } else if (!(body.scale[k] > 0)) {
      transformation->fail(fmt::format("scales the mesh by {:g} along {}", body.scale[k], "xyz"[k]),
                           "Factors must be above 0; mirror the mesh in its file.");
    }
  }
}

// The id of the tets; all must have the same.
int read_volume_id(const JsonNode& node, const PolyfemFile& file, const PolyfemBody& body) {
  const auto selection = polyfem_member(node, "volume_selection");
  if (!selection) return 0;
  if (selection->kind() == Kind::Number) return read_polyfem_integer(*selection, "a whole number, the id");
  if (selection->kind() == Kind::Text)
    selection->fail("a file with ids of tets cannot be read",
                    "Give the id as a number, or one mesh per material.");
  if (selection->kind() == Kind::Object && selection->keys() == std::vector<std::string>{"id_offset"})
    return read_polyfem_integer(*selection->member("id_offset"), "a whole number");
  const PolyfemSelection regions(*selection, compute_box(body.mesh.points), file);
  std::set<int> ids;
  for (const Tet& t : body.mesh.tets) {
    Vec3 middle = Vec3::Zero();
    for (const Index i : t) middle += 0.25 * body.mesh.points[static_cast<size_t>(i)];
    ids.insert(regions.find(middle));
  }
  if (ids.size() > 1) {
    selection->fail(
        fmt::format("gives {} ids to the tets of one mesh, but a body has one material", ids.size()),
        "Cut the mesh into one per material.");
  }
  return ids.empty() || *ids.begin() == kNoPolyfemId ? 0 : *ids.begin();
}

// All nodes of the faces of a curved mesh, by the sorted corners of the face.
std::map<Triangle, std::vector<Index>> list_face_nodes(const CurvedMesh& mesh) {
  const std::vector<LatticePoint4> lattice = list_lattice(mesh.order);
  std::map<Triangle, std::vector<Index>> faces;
  for (size_t t = 0; t < mesh.tet_count(); ++t) {
    const std::span<const Index> nodes = mesh.nodes_of(t);
    for (size_t opposite = 0; opposite < 4; ++opposite) {
      Triangle corners{};
      for (size_t k = 0; k < 3; ++k) corners[k] = nodes[(opposite + 1 + k) % 4];
      std::sort(corners.begin(), corners.end());
      std::vector<Index>& list = faces[corners];
      if (!list.empty()) continue;
      for (size_t k = 0; k < nodes.size(); ++k) {
        if (lattice[k][opposite] == 0) list.push_back(nodes[k]);
      }
    }
  }
  return faces;
}

void select_boundary(const JsonNode& node, const PolyfemFile& file, const CurvedMesh& volume,
                     PolyfemBody& body) {
  const Eigen::AlignedBox3d box = compute_box(body.mesh.points);
  body.faces = extract_surface(body.mesh.tets);
  PolyfemSelection surface, points;
  if (const auto selection = polyfem_member(node, "surface_selection")) surface = {*selection, box, file};
  if (const auto selection = polyfem_member(node, "point_selection")) points = {*selection, box, file};
  const std::map<Triangle, std::vector<Index>> nodes_of = list_face_nodes(volume);
  std::set<Index> boundary;
  for (const Triangle& face : body.faces) {
    Vec3 middle = Vec3::Zero();
    for (const Index i : face) middle += body.mesh.points[static_cast<size_t>(i)];
    body.face_ids.push_back(surface.find(middle / 3, face));
    Triangle sorted = face;
    std::sort(sorted.begin(), sorted.end());
    body.face_nodes.push_back(nodes_of.at(sorted));
    boundary.insert(body.face_nodes.back().begin(), body.face_nodes.back().end());
  }
  for (const Index i : boundary) {
    const int id = points.find(body.mesh.points[static_cast<size_t>(i)]);
    if (id != kNoPolyfemId) body.point_ids[i] = id;
  }
}

CurvedFile read_named(const JsonNode& node, const std::string& key, const PolyfemFile& file,
                      std::string& path) {
  const auto named = polyfem_member(node, key);
  if (!named) node.fail(fmt::format("the key \"{}\" is missing", key), "It names the mesh.");
  const std::string name = read_polyfem_text(*named, "the name of a mesh file");
  path = file.find(name);
  if (path.empty()) {
    named->fail(fmt::format("the mesh {} is missing", name),
                "It is searched for beside the scene, and beside the file that it calls common.");
  }
  return read_curved_file(path);
}

void refuse_plane_mesh(const JsonNode& node, const Mesh& mesh) {
  const bool is_flat = compute_box(mesh.points).sizes().z() == 0;
  if (!mesh.tets.empty()) return;
  if (is_flat)
    node.fail_at_key("mesh", "lies in a plane and has no tets: the scene is two-dimensional",
                     "Only scenes in three dimensions can be read.");
  node.fail_at_key("mesh", "has no tets", "A body that is no obstacle needs a mesh of tets.");
}

// Copies along the axes.
void read_array(const JsonNode& node, const Mesh& mesh, PolyfemBody& body) {
  const auto array = polyfem_member(node, "array");
  if (!array)
    node.fail("the key \"array\" is missing", "It says how many copies there are and how far apart.");
  check_polyfem_keys(*array, {"size", "offset", "relative"});
  const auto size = polyfem_member(*array, "size"), offset = polyfem_member(*array, "offset");
  if (!size || !offset) array->fail("needs the keys size and offset", "");
  const Vec3 count = read_polyfem_vector(*size, "three whole numbers");
  const Vec3 step = offset->kind() == Kind::List
                        ? read_polyfem_vector(*offset, "a distance, or three")
                        : Vec3(Vec3::Constant(read_polyfem_number(*offset, "a distance")));
  const auto flag = polyfem_member(*array, "relative");
  const bool is_relative = flag && read_polyfem_flag(*flag, "true or false");
  for (int k = 0; k < 3; ++k) {
    if (!(count[k] >= 1) || count[k] != std::floor(count[k]) || count[k] > 1000)
      size->fail("wanted three whole numbers from 1 to 1000", "");
  }
  Points placed = mesh.points;
  const Mat3 R = rotation_from_degrees(body.description.rotation);
  for (Vec3& x : placed) x = R * body.description.scale.cwiseProduct(x);
  RepeatDescription& repeat = body.description.repeat.emplace();
  repeat.count_x = static_cast<int>(count.x());
  repeat.count_y = static_cast<int>(count.y());
  repeat.count_z = static_cast<int>(count.z());
  repeat.step = is_relative ? Vec3(step.cwiseProduct(compute_box(placed).sizes())) : step;
}

// The tets of a file with nodes of that order, as scene/build makes them.
CurvedMesh make_volume(const CurvedFile& file, int order) {
  if (!file.is_curved()) return raise_order(file.mesh.points, file.mesh.tets, order);
  return change_order({file.order, file.mesh.points, file.tet_nodes}, order);
}

CurvedMesh place_volume(const BodyDescription& body, CurvedMesh mesh) {
  const Mat3 R = rotation_from_degrees(body.rotation);
  for (Vec3& x : mesh.nodes) x = body.position + R * body.scale.cwiseProduct(x);
  if (!body.repeat) return mesh;
  CurvedMesh all{mesh.order, {}, {}};
  for (int i = 0; i < body.repeat->count_x; ++i) {
    for (int j = 0; j < body.repeat->count_y; ++j) {
      for (int k = 0; k < body.repeat->count_z; ++k) {
        const auto first = static_cast<Index>(all.nodes.size());
        for (const Vec3& x : mesh.nodes)
          all.nodes.push_back(x + body.repeat->step.cwiseProduct(Vec3(i, j, k)));
        for (const Index node : mesh.tets) all.tets.push_back(first + node);
      }
    }
  }
  return all;
}

void make_plane(const JsonNode& node, const std::string& type, BodyDescription& body) {
  PlaneDescription& plane = body.plane.emplace();
  if (type == "ground") {
    check_polyfem_keys(node, {"type", "height", "is_obstacle", "enabled", "surface_selection"});
    if (const auto height = polyfem_member(node, "height"))
      plane.height = read_polyfem_number(*height, "a height in m");
    return;
  }
  check_polyfem_keys(node, {"type", "point", "normal", "is_obstacle", "enabled", "surface_selection"});
  if (const auto normal = polyfem_member(node, "normal"))
    plane.normal = read_polyfem_vector(*normal, "a direction");
  if (plane.normal.isZero(0)) node.fail_at_key("normal", "has no direction", "");
  plane.normal.normalize();
  if (const auto point = polyfem_member(node, "point"))
    plane.height = plane.normal.dot(read_polyfem_vector(*point, "a point of the plane"));
}

// Files in the order of the numbers in their names.
bool is_before(const std::string& a, const std::string& b) {
  size_t i = 0, j = 0;
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      size_t end_a = i, end_b = j;
      while (end_a < a.size() && is_digit(a[end_a])) ++end_a;
      while (end_b < b.size() && is_digit(b[end_b])) ++end_b;
      while (i < end_a && a[i] == '0') ++i;
      while (j < end_b && b[j] == '0') ++j;
      const std::string m = a.substr(i, end_a - i), n = b.substr(j, end_b - j);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
      i = end_a;
      j = end_b;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

std::vector<std::string> list_sequence(const JsonNode& node, const PolyfemFile& file) {
  const auto named = polyfem_member(node, "mesh_sequence");
  if (!named)
    node.fail("the key \"mesh_sequence\" is missing", "It names a folder of meshes, or lists them.");
  std::vector<std::string> meshes;
  if (named->kind() == Kind::List) {
    for (const JsonNode& element : list_polyfem_elements(*named)) {
      const std::string path = file.find(read_polyfem_text(element, "the name of a mesh file"));
      if (path.empty()) element.fail(fmt::format("the mesh {} is missing", element.text()), "");
      meshes.push_back(path);
    }
  } else {
    const std::string folder = file.find(read_polyfem_text(*named, "the name of a folder"));
    if (folder.empty() || !fs::is_directory(folder))
      named->fail(fmt::format("the folder {} is missing", named->text()),
                  "It would hold one mesh per frame.");
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.is_regular_file()) meshes.push_back(entry.path().string());
    }
    std::sort(meshes.begin(), meshes.end(), is_before);
  }
  if (meshes.empty()) named->fail("has no meshes", "");
  return meshes;
}

void make_sequence(const JsonNode& node, const PolyfemFile& file, const std::string& target,
                   PolyfemBody& body) {
  if (!body.is_obstacle()) node.fail_at_key("type", "only obstacles follow a sequence of meshes", "");
  check_polyfem_keys(node, {"type", "mesh_sequence", "fps", "is_obstacle", "enabled", "surface_selection",
                            "transformation", "n_refs", "extract", "volume_selection"});
  const std::vector<std::string> meshes = list_sequence(node, file);
  if (const auto transformation = polyfem_member(node, "transformation")) {
    if (!transformation->keys().empty())
      transformation->fail("a sequence of meshes cannot be transformed",
                           "Transform the meshes in their files.");
  }
  const auto fps = polyfem_member(node, "fps");
  const double rate = fps ? read_polyfem_number(*fps, "frames per second") : 0;
  if (!(rate > 0)) node.fail("needs fps above 0", "They are the frames per second.");
  body.description.mesh = relative_name(meshes.front(), target);
  PrescribedDescription& motion = body.description.prescribed.emplace_back();
  motion.select.all = true;
  SequenceDescription& sequence = motion.sequence.emplace();
  for (const std::string& mesh : meshes) sequence.meshes.push_back(relative_name(mesh, target));
  sequence.step = 1 / rate;
}

void check_advanced(const JsonNode& node) {
  const auto advanced = polyfem_member(node, "advanced");
  if (!advanced) return;
  check_polyfem_keys(*advanced,
                     {"normalize_mesh", "force_linear_geometry", "refinement_location", "min_component"});
  for (const char* key : {"normalize_mesh", "force_linear_geometry"}) {
    const auto flag = polyfem_member(*advanced, key);
    if (flag && read_polyfem_flag(*flag, "true or false")) flag->fail("is not supported", "Leave it out.");
  }
}

void read_part(const JsonNode& node, const std::string& type, BodyDescription& body) {
  const auto extract = polyfem_member(node, "extract");
  if (!extract || type == "mesh_sequence") return;
  const std::string part = read_polyfem_text(*extract, "volume, surface, edges or points");
  if (part == "edges") {
    body.mesh_part = MeshPart::EdgesOnly;
  } else if (part == "points") {
    body.mesh_part = MeshPart::PointsOnly;
  } else if (part != "volume" && part != "surface") {
    extract->fail("found \"" + part + "\", wanted volume, surface, edges or points", "");
  }
  if (body.kind != BodyKind::Obstacle && part != "volume")
    extract->fail("only an obstacle can be a part of its mesh", "");
}

void read_mesh_body(const JsonNode& node, const std::string& type, const PolyfemFile& file, int order,
                    const std::string& target, PolyfemBody& body) {
  check_polyfem_keys(node, {"type", "mesh", "array", "is_obstacle", "enabled", "transformation",
                            "volume_selection", "surface_selection", "curve_selection", "point_selection",
                            "n_refs", "extract", "advanced", "unit"});
  check_advanced(node);
  read_part(node, type, body.description);
  for (const char* key : {"unit", "curve_selection"}) {
    const auto member = polyfem_member(node, key);
    if (member && !(member->kind() == Kind::Text && (member->text().empty() || member->text() == "m")))
      node.fail_at_key(key, "is not supported", "Leave it out.");
  }
  std::string path;
  CurvedFile read = read_named(node, "mesh", file, path);
  body.description.mesh = relative_name(path, target);
  if (!body.is_obstacle()) {
    refuse_plane_mesh(node, read.mesh);
    if (!read.is_curved()) mend_mesh(read.mesh, false);
    if (order > 1 || read.is_curved()) body.description.order = order;
  }
  read_transformation(node, read.mesh, body.description);
  if (const auto refs = polyfem_member(node, "n_refs")) {
    const int count = read_polyfem_integer(*refs, "a whole number");
    if (count < 0 || count > 6 || ((body.is_obstacle() || read.is_curved()) && count > 0))
      refs->fail(fmt::format("found {}, wanted 0 to 6, and 0 for obstacles and curved tets", count), "");
    if (count > 0) body.description.refine = count;
    for (int k = 0; k < count; ++k) read.mesh = refine_tets(read.mesh);
  }
  if (type == "mesh_array") read_array(node, read.mesh, body);
  if (body.is_obstacle()) {
    body.mesh.points = place_volume(body.description, {1, read.mesh.points, {}}).nodes;
    return;
  }
  const CurvedMesh volume = place_volume(body.description, make_volume(read, order));
  body.mesh.points = volume.nodes;
  for (size_t t = 0; t < volume.tet_count(); ++t) {
    const std::span<const Index> nodes = volume.nodes_of(t);
    body.mesh.tets.push_back({nodes[0], nodes[1], nodes[2], nodes[3]});
  }
  body.id = read_volume_id(node, file, body);
  select_boundary(node, file, volume, body);
}

std::optional<PolyfemBody> read_body(const JsonNode& node, const PolyfemFile& file, int order,
                                     const std::string& target) {
  if (node.kind() != Kind::Object) node.fail("found " + node.found() + ", wanted an object, one mesh", "");
  const auto flag = [&](const char* key, bool usual) {
    const auto member = polyfem_member(node, key);
    return member ? read_polyfem_flag(*member, "true or false") : usual;
  };
  if (!flag("enabled", true)) return {};
  const auto named = polyfem_member(node, "type");
  const std::string type = named ? read_polyfem_text(*named, "the type of the geometry") : "mesh";
  PolyfemBody body{node, {}, 0, {}, {}, {}, {}, {}, {}};
  const bool is_plane = type == "plane" || type == "ground";
  if (flag("is_obstacle", false) || is_plane) body.description.kind = BodyKind::Obstacle;
  if (is_plane) {
    make_plane(node, type, body.description);
  } else if (type == "mesh_sequence") {
    make_sequence(node, file, target, body);
  } else if (type == "mesh" || type == "mesh_array") {
    read_mesh_body(node, type, file, order, target, body);
  } else {
    named->fail(fmt::format("found \"{}\", wanted mesh, mesh_array, mesh_sequence, plane or ground", type),
                "");
  }
  if (body.is_obstacle()) {
    const auto selection = polyfem_member(node, "surface_selection");
    if (selection && selection->kind() == Kind::Number)
      body.surface_id = read_polyfem_integer(*selection, "a whole number, the id");
  }
  return body;
}

}  // namespace

PolyfemBodies read_polyfem_bodies(const PolyfemFile& file, int order, const std::string& target) {
  PolyfemBodies bodies;
  const auto geometry = polyfem_member(file.root(), "geometry");
  if (!geometry) file.root().fail("has no geometry", "List at least one mesh there.");
  std::map<std::string, int> name_counts;
  for (const JsonNode& node : list_polyfem_elements(*geometry)) {
    std::optional<PolyfemBody> body = read_body(node, file, order, target);
    if (!body) continue;
    const std::string stem =
        body->description.mesh ? fs::path(*body->description.mesh).stem().string() : "plane";
    const int count = ++name_counts[stem];
    body->description.name = count == 1 ? stem : fmt::format("{} {}", stem, count);
    bodies.list.push_back(std::move(*body));
  }
  if (std::all_of(bodies.list.begin(), bodies.list.end(),
                  [](const PolyfemBody& b) { return b.is_obstacle(); }))
    geometry->fail("has no mesh that is simulated", "At least one must be enabled and no obstacle.");
  return bodies;
}

}  // namespace marrow
