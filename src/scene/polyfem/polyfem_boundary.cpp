#include "scene/polyfem/polyfem_boundary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "scene/polyfem/polyfem_values.h"

namespace marrow {
namespace {

using Kind = JsonNode::Kind;

// A field of velocities is a rigid motion if it differs by no more than this of its largest. [rounding]
constexpr double kRigidMotion = 1e-9;

// The ids that a condition is for.
struct Ids {
  bool all = false;
  std::set<int> list;

  bool contains(int id) const { return all || list.count(id) > 0; }
};

Ids read_ids(const JsonNode& node) {
  const auto id = polyfem_member(node, "id");
  if (!id) node.fail("the key \"id\" is missing", "It says which surface is meant.");
  Ids ids;
  if (id->kind() == Kind::Text) {
    if (id->text() != "all") id->fail("found " + id->found() + ", wanted a whole number or \"all\"", "");
    ids.all = true;
    return ids;
  }
  for (const JsonNode& element : list_polyfem_elements(*id))
    ids.list.insert(read_polyfem_integer(element, "a whole number, the id"));
  return ids;
}

// A factor of a value that follows the time, as a formula in t; empty: none.
std::string read_interpolation(const JsonNode& node) {
  const auto list = polyfem_member(node, "interpolation");
  if (!list) return {};
  const std::vector<JsonNode> elements = list_polyfem_elements(*list);
  if (elements.empty()) return {};
  if (elements.size() > 1)
    list->fail("more than one interpolation is not supported", "Use one for all axes.");
  const JsonNode& element = elements[0];
  const auto type = polyfem_member(element, "type");
  const std::string name = type ? read_polyfem_text(*type, "the type of the interpolation") : "none";
  const auto number = [&](const char* key, double usual) {
    const auto member = polyfem_member(element, key);
    return member ? read_polyfem_number(*member, "a time in s") : usual;
  };
  if (name == "none") return {};
  if (name == "linear") return "t";
  if (name == "linear_ramp") {
    const double from = number("from", 0), to = number("to", 1);
    return fmt::format("if(t >= {0}, {0}, max(t - {1}, 0))", format_number(to),
                       "(" + format_number(from) + ")");
  }
  if (name != "piecewise_linear")
    type->fail(fmt::format("the interpolation {} is not supported", name),
               "Known are none, linear, linear_ramp and piecewise_linear.");
  const auto points = polyfem_member(element, "points"), values = polyfem_member(element, "values");
  const auto extend = polyfem_member(element, "extend");
  if (!points || !values || points->kind() != Kind::List || values->kind() != Kind::List ||
      points->size() != values->size() || points->size() == 0)
    element.fail("needs points and values, lists of the same length", "");
  if (extend && read_polyfem_text(*extend, "constant") != "constant")
    extend->fail("only \"constant\" is supported", "");
  std::string table = "table(t";
  for (int i = 0; i < points->size(); ++i) {
    table += fmt::format(", {}, {}", format_number(read_polyfem_number(points->element(i), "a time in s")),
                         format_number(read_polyfem_number(values->element(i), "a factor")));
  }
  return table + ")";
}

VectorPlaceExpression multiply(const VectorPlaceExpression& v, const std::string& factor) {
  if (factor.empty()) return v;
  const auto times = [&](const PlaceExpression& part) {
    const bool is_zero = part.is_constant() && part.evaluate(0, Vec3::Zero()) == 0;
    return is_zero ? part : PlaceExpression(fmt::format("({}) * ({})", part.text(), factor));
  };
  return {times(v.x), times(v.y), times(v.z)};
}

bool is_zero(const VectorPlaceExpression& v) {
  const auto vanishes = [](const PlaceExpression& part) {
    return part.is_constant() && part.evaluate(0, Vec3::Zero()) == 0;
  };
  return vanishes(v.x) && vanishes(v.y) && vanishes(v.z);
}

VectorPlaceExpression read_value(const JsonNode& node, const char* wanted) {
  const auto value = polyfem_member(node, "value");
  if (!value) node.fail("the key \"value\" is missing", fmt::format("It is {}.", wanted));
  return multiply(read_polyfem_formulas(*value, wanted), read_interpolation(node));
}

// Prescribed points move in all coordinates.
void check_dimensions(const JsonNode& node) {
  const auto dimension = polyfem_member(node, "dimension");
  if (!dimension) return;
  for (const JsonNode& element : list_polyfem_elements(*dimension)) {
    if (read_polyfem_flag(element, "true or false")) continue;
    dimension->fail("leaves a coordinate free, but prescribed points move in all of them",
                    "Conditions on single coordinates are not supported yet.");
  }
}

std::vector<JsonNode> list_conditions(const JsonNode& root, const char* key) {
  const auto conditions = polyfem_member(root, "boundary_conditions");
  const auto list = conditions ? polyfem_member(*conditions, key) : std::nullopt;
  if (!list) return {};
  std::vector<JsonNode> elements = list_polyfem_elements(*list);
  for (const JsonNode& element : elements) {
    if (element.kind() != Kind::Object)
      element.fail("found " + element.found() + ", wanted an object { \"id\": …, \"value\": … }", "");
  }
  return elements;
}

// Points on faces with these ids, and selected ones.
std::vector<Index> list_points(const PolyfemBody& body, const Ids& ids) {
  std::set<Index> points;
  for (size_t f = 0; f < body.faces.size(); ++f) {
    if (ids.contains(body.face_ids[f])) points.insert(body.face_nodes[f].begin(), body.face_nodes[f].end());
  }
  for (const auto& [point, id] : body.point_ids) {
    if (ids.contains(id)) points.insert(point);
  }
  return {points.begin(), points.end()};
}

PrescribedDescription make_motion(const VectorPlaceExpression& value) {
  PrescribedDescription motion;
  if (!is_zero(value)) motion.displacement = value;
  return motion;
}

void read_dirichlet(const JsonNode& root, PolyfemBodies& bodies) {
  std::vector<std::set<Index>> taken(bodies.list.size());
  for (const JsonNode& node : list_conditions(root, "dirichlet_boundary")) {
    check_polyfem_keys(node, {"id", "value", "dimension", "interpolation", "time_reference"});
    if (const auto reference = polyfem_member(node, "time_reference"); reference && reference->size() > 0)
      reference->fail("is not supported", "Give the value as a formula in t.");
    const Ids ids = read_ids(node);
    const VectorPlaceExpression value = read_value(node, "a displacement in m");
    check_dimensions(node);
    bool is_used = false;
    for (size_t b = 0; b < bodies.list.size(); ++b) {
      PolyfemBody& body = bodies.list[b];
      if (body.is_obstacle()) continue;
      PrescribedDescription motion = make_motion(value);
      std::vector<int>& vertices = motion.select.vertices.emplace();
      for (const Index i : list_points(body, ids)) {
        is_used = true;
        if (taken[b].insert(i).second) vertices.push_back(static_cast<int>(i));
      }
      if (!vertices.empty()) body.description.prescribed.push_back(std::move(motion));
    }
    if (!is_used)
      bodies.notices.push_back(fmt::format("{}: no face or point has this id", to_string(node.path())));
  }
}

void read_obstacle_displacements(const JsonNode& root, PolyfemBodies& bodies) {
  for (const JsonNode& node : list_conditions(root, "obstacle_displacements")) {
    check_polyfem_keys(node, {"id", "value", "interpolation"});
    const Ids ids = read_ids(node);
    const VectorPlaceExpression value = read_value(node, "a displacement in m");
    for (PolyfemBody& body : bodies.list) {
      // The first condition counts.
      const bool is_meant = body.is_obstacle() && body.surface_id && ids.contains(*body.surface_id);
      if (!is_meant || !body.description.prescribed.empty()) continue;
      if (body.description.plane) node.fail("a plane cannot move", "Use a mesh as the obstacle.");
      PrescribedDescription motion = make_motion(value);
      motion.select.all = true;
      body.description.prescribed.push_back(std::move(motion));
    }
  }
}

// Without place: as a formula in t.
VectorExpression drop_place(const VectorPlaceExpression& v, const JsonNode& node) {
  const auto drop = [&](const PlaceExpression& part) {
    if (part.depends_on_place()) node.fail("depends on the place, which forces cannot", "Use formulas in t.");
    return part.is_constant() ? Expression(part.evaluate(0, Vec3::Zero())) : Expression(part.text());
  };
  return {drop(v.x), drop(v.y), drop(v.z)};
}

// PolyFEM's right-hand side is that of div σ = f: gravity downwards points upwards there.
void read_gravity(const JsonNode& root, PolyfemBodies& bodies, Scene& scene) {
  scene.gravity = Vec3::Zero();
  const auto conditions = polyfem_member(root, "boundary_conditions");
  const auto rhs = conditions ? polyfem_member(*conditions, "rhs") : std::nullopt;
  if (!rhs || (rhs->kind() == Kind::List && rhs->size() == 0)) return;
  if (rhs->kind() == Kind::Number && rhs->number() == 0) return;
  const VectorPlaceExpression value = read_polyfem_formulas(*rhs, "an acceleration in m/s², reversed");
  if (is_constant_everywhere(value)) {
    scene.gravity = -value.evaluate(0, Vec3::Zero()) + Vec3::Zero();
    return;
  }
  const auto negative = [](const PlaceExpression& part) { return PlaceExpression("-(" + part.text() + ")"); };
  ForceDescription force;
  force.select.all = true;
  force.acceleration = drop_place({negative(value.x), negative(value.y), negative(value.z)}, *rhs);
  for (PolyfemBody& body : bodies.list) {
    if (!body.is_obstacle()) body.description.forces.push_back(force);
  }
}

// Tractions of surfaces.
void read_neumann(const JsonNode& root, PolyfemBodies& bodies) {
  for (const JsonNode& node : list_conditions(root, "neumann_boundary")) {
    check_polyfem_keys(node, {"id", "value", "interpolation"});
    const Ids ids = read_ids(node);
    const VectorPlaceExpression value = read_value(node, "a force per area in Pa");
    for (PolyfemBody& body : bodies.list) {
      ForceDescription force;
      std::vector<int>& faces = force.select.vertices.emplace();
      std::set<Index> points;
      size_t count = 0, meant = 0;
      for (size_t f = 0; f < body.faces.size(); ++f) {
        if (!ids.contains(body.face_ids[f])) continue;
        ++meant;
        points.insert(body.faces[f].begin(), body.faces[f].end());
      }
      if (points.empty() || is_zero(value)) continue;
      if (body.description.order.value_or(1) > 1)
        node.fail("tractions are for straight tets, of order 1", "Set space.discr_order to 1.");
      for (const Triangle& face : body.faces)
        count += std::all_of(face.begin(), face.end(), [&](Index i) { return points.count(i) > 0; }) ? 1 : 0;
      if (count != meant) {
        node.fail(fmt::format("selects {} faces of {}, but {} have all corners on them", meant,
                              body.description.name, count),
                  "A traction acts on all faces between its points: refine the mesh there.");
      }
      faces.assign(points.begin(), points.end());
      force.traction = drop_place(value, node);
      body.description.forces.push_back(std::move(force));
    }
  }
}

Vec3 compute_center(const Mesh& mesh) {
  Vec3 sum = Vec3::Zero();
  double total = 0;
  for (const Tet& t : mesh.tets) {
    const auto corner = [&](size_t k) { return mesh.points[static_cast<size_t>(t[k])]; };
    const double volume =
        std::abs((corner(1) - corner(0)).cross(corner(2) - corner(0)).dot(corner(3) - corner(0)));
    sum += volume / 4 * (corner(0) + corner(1) + corner(2) + corner(3));
    total += volume;
  }
  return sum / total;
}

// A field of velocities that moves the body as a whole: v + ω × (x − c).
void set_velocity(const JsonNode& node, const VectorPlaceExpression& value, PolyfemBody& body) {
  const Vec3 center = compute_center(body.mesh);
  const auto at = [&](const Vec3& x) { return value.evaluate(0, x); };
  Mat3 gradient;
  for (int k = 0; k < 3; ++k) gradient.col(k) = at(center + Vec3::Unit(k)) - at(center);
  const Vec3 turning = 0.5 * Vec3(gradient(2, 1) - gradient(1, 2), gradient(0, 2) - gradient(2, 0),
                                  gradient(1, 0) - gradient(0, 1));
  body.description.velocity = at(center);
  if (!is_constant_everywhere(value)) body.description.angular_velocity = turning;
  double apart = 0, largest = 0;
  for (const Vec3& x : body.mesh.points) {
    apart = std::max(apart, (at(x) - at(center) - turning.cross(x - center)).norm());
    largest = std::max(largest, at(x).norm());
  }
  if (apart <= kRigidMotion * largest) return;
  node.fail(fmt::format("moves {} other than as a whole", body.description.name),
            "A body starts with one velocity and one angular velocity.");
}

void read_velocities(const JsonNode& root, PolyfemBodies& bodies) {
  const auto initial = polyfem_member(root, "initial_conditions");
  if (!initial) return;
  check_polyfem_keys(*initial, {"velocity", "solution", "acceleration"});
  for (const char* key : {"solution", "acceleration"}) {
    const auto list = polyfem_member(*initial, key);
    if (!list) continue;
    for (const JsonNode& node : list_polyfem_elements(*list)) {
      if (!is_zero(read_value(node, "three numbers")))
        node.fail(fmt::format("an initial {} is not supported", key), "Leave it out.");
    }
  }
  const auto list = polyfem_member(*initial, "velocity");
  if (!list) return;
  for (const JsonNode& node : list_polyfem_elements(*list)) {
    check_polyfem_keys(node, {"id", "value"});
    const Ids ids = read_ids(node);
    const VectorPlaceExpression value = read_value(node, "a velocity in m/s");
    for (PolyfemBody& body : bodies.list) {
      if (!body.is_obstacle() && ids.contains(body.id)) set_velocity(node, value, body);
    }
  }
}

void check_conditions(const JsonNode& root) {
  const auto conditions = polyfem_member(root, "boundary_conditions");
  if (!conditions) return;
  check_polyfem_keys(*conditions, {"rhs", "dirichlet_boundary", "neumann_boundary", "pressure_boundary",
                                   "obstacle_displacements", "normal_aligned_dirichlet_boundary",
                                   "pressure_cavity", "periodic_boundary"});
  for (const char* key : {"pressure_boundary", "normal_aligned_dirichlet_boundary", "pressure_cavity"}) {
    const auto member = polyfem_member(*conditions, key);
    if (member && list_polyfem_elements(*member).size() > 0)
      member->fail("is not supported", "Leave it out.");
  }
  if (const auto periodic = polyfem_member(*conditions, "periodic_boundary")) {
    const auto enabled = polyfem_member(*periodic, "enabled");
    if (enabled && read_polyfem_flag(*enabled, "true or false"))
      periodic->fail("is not supported", "Leave it out.");
  }
}

}  // namespace

void read_polyfem_boundary(const PolyfemFile& file, PolyfemBodies& bodies, Scene& scene) {
  const JsonNode root = file.root();
  check_conditions(root);
  read_gravity(root, bodies, scene);
  read_dirichlet(root, bodies);
  read_obstacle_displacements(root, bodies);
  read_neumann(root, bodies);
  read_velocities(root, bodies);
}

}  // namespace marrow
