#include "scene/polyfem/polyfem_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "scene/polyfem/polyfem_boundary.h"
#include "scene/polyfem/polyfem_material.h"
#include "scene/polyfem/polyfem_values.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

using Kind = JsonNode::Kind;

// Newton's tolerance [1/s]: norms are compared to 1e-4 of displacements that may be far below the body's
// size. [measured: bench/results/polyfem.md]
constexpr double kPolyfemTolerance = 1e-5;

std::optional<JsonNode> find_node(const JsonNode& root, std::initializer_list<const char*> path) {
  std::optional<JsonNode> node = root;
  for (const char* key : path) {
    if (!node || node->kind() != Kind::Object) return {};
    node = polyfem_member(*node, key);
  }
  return node;
}

// Names the keys below a node that mean nothing to us, in one notice.
void note_ignored(const JsonNode& root, std::initializer_list<const char*> path,
                  const std::vector<std::string>& known, std::vector<std::string>& notices) {
  const auto node = find_node(root, path);
  if (!node || node->kind() != Kind::Object) return;
  std::vector<std::string> ignored;
  for (const std::string& key : node->keys()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) ignored.push_back(key);
  }
  if (ignored.empty()) return;
  const std::string where = to_string(node->path());
  notices.push_back(fmt::format("{}{}{} {} ignored", where, where.empty() ? "" : ": ",
                                fmt::join(ignored, ", "), ignored.size() == 1 ? "is" : "are"));
}

void check_root(const JsonNode& root, std::vector<std::string>& notices) {
  check_polyfem_keys(root, {"preset_problem",
                            "geometry",
                            "space",
                            "time",
                            "contact",
                            "solver",
                            "materials",
                            "boundary_conditions",
                            "initial_conditions",
                            "output",
                            "input",
                            "tests",
                            "common",
                            "default_params",
                            "root_path",
                            "units",
                            "constraints",
                            "comment",
                            "authors",
                            "description"});
  for (const char* key : {"preset_problem", "constraints", "input"}) {
    const auto member = polyfem_member(root, key);
    const bool is_said = member && !(member->kind() == Kind::Object && member->keys().empty());
    if (is_said) member->fail("is not supported", "Leave it out.");
  }
  if (const auto units = polyfem_member(root, "units")) {
    for (const std::string& key : units->keys()) {
      const auto unit = units->member(key);
      const bool is_usual =
          unit->kind() == Kind::Text && (unit->text() == "m" || unit->text() == "kg" || unit->text() == "s");
      if (!is_usual && key != "characteristic_length")
        unit->fail("only m, kg and s are supported", "Convert the scene.");
    }
  }
  if (polyfem_member(root, "output"))
    notices.push_back("output is ignored: --set output.… chooses the files");
}

struct Steps {
  double step = 0;
  int count = 1;
};

// Two of tend, dt and time_steps.
Steps read_steps(const JsonNode& time) {
  const auto number = [&](const char* key) {
    const auto member = polyfem_member(time, key);
    if (!member) return std::optional<double>();
    const double value = read_polyfem_number(*member, "a time in s");
    if (!(value > 0)) member->fail(fmt::format("found {:g}, wanted more than 0", value), "");
    return std::optional<double>(value);
  };
  const auto start = polyfem_member(time, "t0");
  const double t0 = start ? read_polyfem_number(*start, "a time in s") : 0;
  if (t0 != 0) start->fail("only a start at time 0 is supported", "Shift the formulas in t.");
  const auto end = number("tend"), step = number("dt"), count = number("time_steps");
  if (count && *count != std::floor(*count)) time.fail_at_key("time_steps", "wanted a whole number", "");
  Steps steps;
  if (step && count) {
    steps = {*step, static_cast<int>(*count)};
  } else if (step && end) {
    steps = {*step, std::max(1, static_cast<int>(std::lround(*end / *step)))};
  } else if (end && count) {
    steps = {*end / *count, static_cast<int>(*count)};
  } else {
    time.fail("needs two of tend, dt and time_steps", "");
  }
  return steps;
}

void read_integrator(const JsonNode& time, TimeOptions& options, std::vector<std::string>& notices) {
  const auto member = polyfem_member(time, "integrator");
  if (!member) return;
  const bool is_object = member->kind() == Kind::Object;
  const auto type = is_object ? polyfem_member(*member, "type") : member;
  std::string name = type ? read_polyfem_text(*type, "the name of an integrator") : "ImplicitEuler";
  int steps = 1;
  if (name.size() == 4 && name.starts_with("BDF")) {
    steps = name[3] - '0';
    name = "BDF";
  } else if (is_object) {
    const auto count = polyfem_member(*member, "steps");
    if (count) steps = read_polyfem_integer(*count, "a number of steps");
  }
  if (name == "ImplicitEuler" || (name == "BDF" && steps == 1)) {
    options.integrator = Integrator::ImplicitEuler;
  } else if (name == "BDF" && steps >= 2 && steps <= 6) {
    options.integrator = Integrator::Bdf2;
    if (steps > 2) notices.push_back(fmt::format("time.integrator: BDF2 in place of BDF{}", steps));
  } else if (name == "ImplicitNewmark") {
    options.integrator = Integrator::Newmark;
    const auto beta = is_object ? polyfem_member(*member, "beta") : std::nullopt;
    const auto gamma = is_object ? polyfem_member(*member, "gamma") : std::nullopt;
    if ((beta && read_polyfem_number(*beta, "beta") != 0.25) ||
        (gamma && read_polyfem_number(*gamma, "gamma") != 0.5))
      member->fail("only beta 0.25 and gamma 0.5 are supported", "");
  } else {
    member->fail(fmt::format("the integrator {} is not known", name),
                 "Known are ImplicitEuler, BDF and ImplicitNewmark.");
  }
}

void read_time(const JsonNode& root, Scene& scene, std::vector<std::string>& notices) {
  const auto time = polyfem_member(root, "time");
  const auto tested = find_node(root, {"tests", "time_steps"});
  const bool is_static = !time || (tested && tested->kind() == Kind::Text && tested->text() == "static");
  if (is_static) {
    // One equilibrium; conditions are those of time 1, as in PolyFEM.
    scene.time.integrator = Integrator::QuasiStatic;
    scene.time.step = scene.time.duration = 1;
    return;
  }
  check_polyfem_keys(*time, {"t0", "tend", "dt", "time_steps", "integrator", "quasistatic"});
  const Steps steps = read_steps(*time);
  scene.time.step = steps.step;
  scene.time.duration = steps.step * steps.count;
  read_integrator(*time, scene.time, notices);
  const auto quasistatic = polyfem_member(*time, "quasistatic");
  if (quasistatic && read_polyfem_flag(*quasistatic, "true or false"))
    scene.time.integrator = Integrator::QuasiStatic;
}

// The mesh that collides in place of the boundary, or how finely that is cut.
void read_collision_mesh(const PolyfemFile& file, const std::string& target, PolyfemBodies& bodies) {
  const auto proxy = find_node(file.root(), {"contact", "collision_mesh"});
  if (!proxy || proxy->kind() != Kind::Object) return;
  check_polyfem_keys(*proxy, {"enabled", "mesh", "linear_map", "max_edge_length", "tessellation_type"});
  const auto enabled = polyfem_member(*proxy, "enabled");
  if (enabled && !read_polyfem_flag(*enabled, "true or false")) return;
  std::vector<PolyfemBody*> soft;
  for (PolyfemBody& body : bodies.list) {
    if (!body.is_obstacle()) soft.push_back(&body);
  }
  if (const auto named = polyfem_member(*proxy, "mesh")) {
    if (soft.size() != 1)
      proxy->fail(fmt::format("is for {} bodies at once", soft.size()),
                  "Only the collision mesh of a single body can be read.");
    BodyDescription& body = soft[0]->description;
    if (!body.prescribed.empty() || !body.forces.empty())
      proxy->fail("cannot be combined with conditions on faces", "Leave out the one or the other.");
    const std::string path = file.find(read_polyfem_text(*named, "the name of a mesh file"));
    if (path.empty())
      named->fail(fmt::format("the mesh {} is missing", named->text()), "It is what would collide.");
    body.collider = {{}, relative_name(path, target)};
    if (polyfem_member(*proxy, "linear_map"))
      bodies.notices.push_back(
          "contact.collision_mesh.linear_map is not read: each point follows the tet that it is in, or the "
          "nearest");
    return;
  }
  const auto length = polyfem_member(*proxy, "max_edge_length");
  if (!length) return;
  const double most = read_polyfem_number(*length, "a length in m");
  if (!(most > 0)) length->fail("wanted a length above 0", "");
  for (PolyfemBody* body : soft) {
    double longest = 0;
    for (const Triangle& face : body->faces) {
      for (size_t k = 0; k < 3; ++k) {
        const auto corner = [&](size_t i) { return body->mesh.points[static_cast<size_t>(face[i % 3])]; };
        longest = std::max(longest, (corner(k + 1) - corner(k)).norm());
      }
    }
    if (body->description.order.value_or(1) > 1)
      body->description.surface_cells = std::clamp(static_cast<int>(std::ceil(longest / most)), 1, 64);
  }
}

void refuse_other_contact(const JsonNode& contact, std::vector<std::string>& notices) {
  if (const auto adhesion = find_node(contact, {"adhesion", "adhesion_enabled"})) {
    if (read_polyfem_flag(*adhesion, "true or false"))
      adhesion->fail("adhesion is not supported", "Leave it out.");
  }
  const auto is_set = [&](const char* key) {
    const auto flag = polyfem_member(contact, key);
    return flag && read_polyfem_flag(*flag, "true or false");
  };
  if (is_set("use_gcp_formulation"))
    notices.push_back(
        "contact.use_gcp_formulation: the usual barrier is used in place of geometric contact potentials");
  for (const char* key : {"use_convergent_formulation", "use_area_weighting", "use_improved_max_operator",
                          "use_physical_barrier"}) {
    if (is_set(key))
      notices.push_back(fmt::format("contact.{}: the usual barrier is used, not weighted by area", key));
  }
  const auto periodic = polyfem_member(contact, "periodic");
  if (periodic && periodic->kind() == Kind::Boolean && periodic->boolean())
    periodic->fail("is not supported", "");
}

void read_contact(const JsonNode& root, Scene& scene, std::vector<std::string>& notices) {
  ContactOptions& options = scene.contact;
  options.enabled = false;
  const auto contact = polyfem_member(root, "contact");
  if (!contact) return;
  check_polyfem_keys(*contact, {"enabled",
                                "dhat",
                                "dhat_percentage",
                                "epsv",
                                "friction_coefficient",
                                "use_convergent_formulation",
                                "use_area_weighting",
                                "use_improved_max_operator",
                                "use_physical_barrier",
                                "use_gcp_formulation",
                                "alpha_t",
                                "alpha_n",
                                "beta_t",
                                "beta_n",
                                "gcp",
                                "collision_mesh",
                                "periodic",
                                "adhesion",
                                "min_distance_ratio",
                                "use_adaptive_dhat",
                                "gcp_base_alpha_n",
                                "statically_excluded"});
  const auto enabled = polyfem_member(*contact, "enabled");
  options.enabled = enabled && read_polyfem_flag(*enabled, "true or false");
  const auto positive = [&](const char* key, double usual, const char* wanted) {
    const auto member = polyfem_member(*contact, key);
    const double value = member ? read_polyfem_number(*member, wanted) : usual;
    if (!(value > 0)) member->fail(fmt::format("found {:g}, wanted {} above 0", value, wanted), "");
    return value;
  };
  options.d_hat = positive("dhat", 1e-3, "the activation distance in m");
  options.epsilon_v = positive("epsv", 1e-3, "a speed in m/s");
  if (const auto friction = polyfem_member(*contact, "friction_coefficient")) {
    options.friction = read_polyfem_number(*friction, "a coefficient of friction");
    if (options.friction < 0) friction->fail("wanted at least 0", "");
  }
  refuse_other_contact(*contact, notices);
  options.friction_iterations = 1;
  if (const auto rounds = find_node(root, {"solver", "contact", "friction_iterations"})) {
    const int count = read_polyfem_integer(*rounds, "a number of solves");
    options.friction_iterations = count < 0 ? -1 : std::max(count, 1);
    if (count == 0) options.friction = 0;
  }
}

// The stiffness that is given, or with which PolyFEM's adaptive one begins: 1e11 of a node's mean mass over
// 4 x b''(x) at the squared distance x = (1e-8 L)², L the diagonal of the box of everything, with its barrier
// b = −(x − d̂²)² ln(x/d̂²), undivided by h². Here it multiplies −(1 − u)² ln u, u = x/d̂²; as b'' is nearly
// d̂⁴/x², that is 1e11 m 1e-16 L²/(4 h²).
void set_stiffness(const JsonNode& root, const std::vector<PolyfemBody>& bodies, Scene& scene) {
  ContactOptions& options = scene.contact;
  const auto given = find_node(root, {"solver", "contact", "barrier_stiffness"});
  const auto other_barrier = find_node(root, {"contact", "use_gcp_formulation"});
  if (!options.enabled ||
      (other_barrier && other_barrier->kind() == Kind::Boolean && other_barrier->boolean()))
    return;
  if (given && given->kind() == Kind::Number) {
    const double d_hat = *options.d_hat;
    options.kappa = given->number() * d_hat * d_hat * d_hat * d_hat;
    if (!(*options.kappa > 0)) given->fail("wanted a number above 0, or \"adaptive\"", "");
    return;
  }
  double mass = 0, count = 0;
  Eigen::AlignedBox3d box;
  for (const PolyfemBody& body : bodies) {
    count += static_cast<double>(body.mesh.points.size());
    for (const Vec3& x : body.mesh.points) box.extend(x);
    if (body.is_obstacle()) continue;
    for (const Tet& t : body.mesh.tets) {
      const auto corner = [&](size_t k) { return body.mesh.points[static_cast<size_t>(t[k])]; };
      const double volume =
          (corner(1) - corner(0)).cross(corner(2) - corner(0)).dot(corner(3) - corner(0)) / 6;
      mass += body.description.material.density * std::abs(volume);
    }
  }
  const double h = scene.time.integrator == Integrator::QuasiStatic ? 1 : scene.time.step;
  options.kappa = 2.5e-6 * mass / count * box.sizes().squaredNorm() / (h * h);
}

int read_order(const JsonNode& root) {
  int order = 1;
  if (const auto space = find_node(root, {"space", "discr_order"})) {
    if (space->kind() != Kind::Number)
      space->fail("found " + space->found() + ", wanted one order for all bodies",
                  "Give a whole number from 1 to 4.");
    order = read_polyfem_integer(*space, "an order");
    if (order < 1 || order > 4) space->fail(fmt::format("found {}, wanted 1 to 4", order), "");
  }
  return order;
}

void read_solver(const JsonNode& root, int order, Scene& scene, std::vector<PolyfemBody>& bodies,
                 std::vector<std::string>& notices) {
  scene.solver.newton.tolerance = kPolyfemTolerance;
  const auto lumped = find_node(root, {"solver", "advanced", "lump_mass_matrix"});
  const bool is_lumped = lumped && read_polyfem_flag(*lumped, "true or false");
  if (const auto remesh = find_node(root, {"space", "remesh", "enabled"})) {
    if (read_polyfem_flag(*remesh, "true or false"))
      remesh->fail("remeshing is not supported", "Leave it out.");
  }
  for (PolyfemBody& body : bodies) {
    if (body.is_obstacle()) continue;
    body.description.mass = is_lumped || order > 1 ? MassKind::Lumped : MassKind::Consistent;
  }
  if (is_lumped && order > 1)
    notices.push_back("solver.advanced.lump_mass_matrix: the mass is consistent at orders above 1");
  note_ignored(root, {"space"}, {"discr_order", "remesh"}, notices);
  note_ignored(root, {"solver"}, {"contact", "advanced"}, notices);
  note_ignored(root, {"solver", "advanced"}, {"lump_mass_matrix"}, notices);
  note_ignored(root, {"solver", "contact"}, {"friction_iterations", "barrier_stiffness"}, notices);
}

void read_tests(const JsonNode& root, Scene& scene) {
  const auto tests = polyfem_member(root, "tests");
  if (!tests || tests->kind() != Kind::Object) return;
  RecordedNorms norms;
  const auto read = [&](const char* key, std::optional<double>& value) {
    if (const auto member = polyfem_member(*tests, key)) value = read_polyfem_number(*member, "a norm");
  };
  read("err_l2", norms.l2);
  read("err_h1", norms.h1);
  read("err_h1_semi", norms.h1_semi);
  read("err_linf", norms.linf);
  read("err_linf_grad", norms.linf_grad);
  read("err_lp", norms.lp);
  if (!norms.l2 && !norms.h1 && !norms.h1_semi && !norms.linf && !norms.linf_grad && !norms.lp) return;
  if (const auto margin = polyfem_member(*tests, "margin"))
    norms.margin = read_polyfem_number(*margin, "a margin");
  const int total = static_cast<int>(std::lround(scene.time.duration / scene.time.step));
  if (const auto steps = polyfem_member(*tests, "time_steps")) {
    if (steps->kind() == Kind::Number) {
      norms.steps = std::max(1, read_polyfem_integer(*steps, "a number of steps"));
    } else {
      const std::string text = read_polyfem_text(*steps, "a number of steps, \"all\" or \"static\"");
      if (text != "all" && text != "static")
        steps->fail("wanted a number of steps, \"all\" or \"static\"", "");
      norms.steps = total;
    }
  }
  scene.recorded_norms = norms;
}

PolyfemScene convert(const PolyfemFile& file, const std::string& path, const std::string& target) {
  PolyfemScene result;
  const JsonNode root = file.root();
  check_root(root, result.notices);
  const int order = read_order(root);
  PolyfemBodies bodies = read_polyfem_bodies(file, order, target);
  result.scene.name = std::filesystem::path(path).stem().string();
  read_time(root, result.scene, result.notices);
  read_contact(root, result.scene, result.notices);
  read_polyfem_boundary(file, bodies, result.scene);
  for (PolyfemBody& body : bodies.list) {
    if (!body.is_obstacle())
      body.description.material = read_polyfem_material(root, body.id, body.node, bodies.notices);
  }
  read_solver(root, order, result.scene, bodies.list, result.notices);
  read_collision_mesh(file, target, bodies);
  set_stiffness(root, bodies.list, result.scene);
  read_tests(root, result.scene);
  for (PolyfemBody& body : bodies.list) result.scene.bodies.push_back(std::move(body.description));
  result.notices.insert(result.notices.end(), bodies.notices.begin(), bodies.notices.end());
  return result;
}

}  // namespace

PolyfemScene read_polyfem_scene(const std::string& path, const std::string& target) {
  const PolyfemFile file(path);
  try {
    return convert(file, path, target);
  } catch (const InputError& error) {
    throw file.locate(error);
  }
}

}  // namespace marrow
