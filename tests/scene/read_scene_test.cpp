#include "scene/read_scene.h"

#include <gtest/gtest.h>

#include <random>

#include "core/file.h"
#include "scene/describe.h"
#include "scene/json/field_types.h"
#include "scene/reference.h"
#include "scene/validate.h"

namespace marrow {
namespace {

constexpr const char* kSmall = "{\"bodies\": [{\"shape\": {\"type\": \"box\"}}]}";

TEST(ReadScene, first_scene_needs_only_bodies) {
  const Scene scene = parse_scene(kSmall, "scene.json");
  EXPECT_EQ(scene.time.step, 0.01);
  EXPECT_EQ(scene.gravity, Vec3(0, -9.81, 0));
  ASSERT_EQ(scene.bodies.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<BoxShape>(*scene.bodies[0].shape));
}

TEST(ReadScene, comments_and_byte_order_mark_are_allowed) {
  const Scene scene =
      parse_scene(std::string("\xEF\xBB\xBF// a scene\n") + kSmall + "/* end */", "scene.json");
  EXPECT_EQ(scene.bodies.size(), 1u);
}

TEST(ReadScene, overrides_replace_and_create_values) {
  const Scene scene =
      parse_scene(kSmall, "scene.json",
                  {"time.step=0.02", "bodies[0].material.density=500", "name=plain text",
                   "bodies[0].shape={\"type\": \"sphere\", \"radius\": 2}", "time.step=0.04"});
  EXPECT_EQ(scene.time.step, 0.04);
  EXPECT_EQ(scene.bodies[0].material.density, 500);
  EXPECT_EQ(scene.name, "plain text");
  EXPECT_EQ(std::get<SphereShape>(*scene.bodies[0].shape).radius, 2);
}

TEST(ReadScene, whole_numbers_may_be_written_as_fractions) {
  EXPECT_EQ(parse_scene(kSmall, "scene.json", {"time.frame_every=1e1"}).time.frame_every, 10);
}

TEST(ReadScene, mesh_paths_are_relative_to_the_scene) {
  EXPECT_EQ(resolve_path("a/b/scene.json", "c/d.msh"), "a/b/c/d.msh");
  EXPECT_EQ(resolve_path("scene.json", "d.msh"), "d.msh");
  EXPECT_EQ(resolve_path("a/scene.json", "/d.msh"), "/d.msh");
}

// Gives every field a random value within its range.
class Randomizer {
 public:
  explicit Randomizer(unsigned seed) : engine_(seed) {}

  template <class T>
  void operator()(const char*, T& value, const Field& field) {
    set(value, field);
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution(low, high)(engine_); }

  void set(bool& value, const Field&) { value = pick(0, 1) == 1; }
  void set(int& value, const Field& field) {
    const int low = std::isfinite(field.at_least) ? static_cast<int>(field.at_least) : -100;
    const int high = std::isfinite(field.at_most) ? static_cast<int>(field.at_most) : low + 100;
    value = pick(low, std::min(high, low + 100));
  }
  void set(double& value, const Field& field) {
    do {
      value = std::ldexp(std::uniform_real_distribution(-1.0, 1.0)(engine_), pick(-30, 10));
    } while (!explain_range(field, value).empty());
  }
  void set(std::string& value, const Field&) {
    static const std::string kLetters[] = {"a", "Z",  " ",   "\"", "\\", "\n", "ä", "\t",
                                           "/", "//", "[0]", ".",  "💧",  "{",  "}"};
    value.clear();
    for (int i = pick(0, 8); i > 0; --i) value += kLetters[pick(0, std::size(kLetters) - 1)];
  }
  void set(NameOrNumber& value, const Field& field) {
    set(value.name, field);
    if (value.name.empty()) set(value.number, field);
  }
  void set(Expression& value, const Field& field) {
    double number = 0;
    set(number, field);
    value = pick(0, 1) == 1 ? Expression(number) : Expression("sin(t) + " + std::to_string(pick(0, 9)));
  }
  void set(VectorExpression& value, const Field& field) {
    for (Expression* part : {&value.x, &value.y, &value.z}) set(*part, field);
  }
  void set(VectorPlaceExpression& value, const Field& field) {
    for (PlaceExpression* part : {&value.x, &value.y, &value.z}) {
      double number = 0;
      set(number, field);
      *part = pick(0, 1) == 1 ? PlaceExpression(number)
                              : PlaceExpression("x * sin(t) + " + std::to_string(pick(0, 9)));
    }
  }
  void set(Vec3& value, const Field& field) {
    for (double& coordinate : value) set(coordinate, field);
  }
  template <class T>
  void set(std::optional<T>& value, const Field& field) {
    value.reset();
    if (pick(0, 1) == 1) set(value.emplace(), field);
  }
  template <class T>
  void set(std::vector<T>& value, const Field& field) {
    value.resize(static_cast<size_t>(pick(0, 3)));
    for (T& element : value) set(element, field);
  }
  template <class... T>
  void set(std::variant<T...>& value, const Field& field) {
    int skipped = pick(0, sizeof...(T) - 1);
    for_each_alternative<std::variant<T...>>([&](auto alternative) {
      if (skipped-- == 0) value = alternative;
    });
    std::visit([&](auto& chosen) { set(chosen, field); }, value);
  }
  template <class Enum>
  void set(ChoiceOrMesh<Enum>& value, const Field& field) {
    set(value.choice, field);
    value.mesh = pick(0, 1) == 1 ? "fine \"mesh\".obj" : "";
    if (!value.mesh.empty()) value.choice = {};  // said by the mesh alone
  }
  template <class T>
  void set(T& value, const Field&) {
    if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(pick(0, static_cast<int>(list_enum_names<T>().size()) - 1));
    } else {
      visit_fields(*this, value);
    }
  }

  std::mt19937 engine_;
};

// What validation asks for between the fields, given any values inside them.
void make_sound(Selection& select) { select = {true, {}, {}, {}, {}}; }

// A body that is remeshed is a plain one, in a scene that has room for it.
void make_sound_for_remeshing(Scene& scene) {
  BodyDescription& body = scene.bodies[0];
  if (!body.remesh) return;
  body.order = 1;
  body.surface_cells.reset();
  body.surface.reset();
  body.collider.reset();
  body.densities.reset();
  body.thickness.reset();
  body.mesh_part = MeshPart::Whole;
  body.forces.clear();
  body.pressure.reset();
  body.material.damping = 0;
  body.self_collision = SelfCollision::Auto;
  for (PrescribedDescription& prescribed : body.prescribed) prescribed.release.reset();
  scene.joints.clear();
  scene.time.integrator = Integrator::Bdf2;
  scene.contact.weighting = ContactWeighting::Pair;
  scene.contact.stiffness.reset();
  scene.output.iterates = false;
}

void make_sound(ForceDescription& force) {
  make_sound(force.select);
  force.torque.reset();
  force.traction.reset();
  if (force.force.has_value() == force.acceleration.has_value()) {
    force.force = VectorExpression(Vec3(1, 2, 3));
    force.acceleration.reset();
  }
}

void make_sound(Scene& scene) {
  scene.time.duration = scene.time.step * 7;
  scene.output.vtu = true;
  scene.dimension = 3;
  if (scene.contact.weighting == ContactWeighting::Area) scene.contact.kappa.reset();
  if (scene.contact.weighting == ContactWeighting::Pair) scene.contact.stiffness.reset();
  // With another stepper its options must be left alone.
  scene.solver.stepper = Stepper::Newton;
  scene.solver.projective = {};
  if (scene.bodies.empty()) scene.bodies.emplace_back();
  if (scene.view) {
    scene.view->side.reset();
    if (!scene.view->camera) scene.view->target.reset();
    if (scene.view->camera) scene.view->target = *scene.view->camera + Vec3::UnitX();
    scene.view->hide.clear();
    scene.view->section = "x<0.25";
  }
  for (ContactPair& pair : scene.contact.pairs) {
    pair.a = scene.bodies[0].name + "0";
    pair.b = pair.a;
    pair.ignore = true;
  }
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    BodyDescription& body = scene.bodies[i];
    body.name += std::to_string(i);
    body.kind = BodyKind::Soft;
    body.stiffness.reset();
    body.locked.clear();
    body.handles.reset();
    body.handle.reset();
    body.quadratic_handles.reset();
    if (body.collider && (body.collider->mesh.empty() || body.surface)) body.collider.reset();
    body.target_error.reset();
    body.cells.reset();
    body.weight_threshold.reset();
    body.extra_handles.reset();
    body.mesh.reset();
    body.plane.reset();
    if (body.is_carried()) {
      if (body.surface) body.surface = "fine.obj";
      body.surface_cells.reset();
      body.surface_deviation.reset();
      body.thickness.reset();
      body.repeat.reset();
      body.mesh_part = MeshPart::Whole;
    }
    const bool is_solid = body.kind == BodyKind::Soft && !body.thickness;
    if (!is_solid || body.mesh_part != MeshPart::Whole) body.order = 1;
    if (!is_solid || body.is_carried() || body.mesh_part != MeshPart::Whole) body.refine.reset();
    if (body.order.value_or(1) == 1) body.surface_cells.reset();
    if (body.order.value_or(1) == 1 || body.surface_cells) body.surface_deviation.reset();
    if (body.densities) {
      const DensitiesDescription random = *body.densities;
      body.densities = DensitiesDescription();
      body.densities->values =
          random.values.value_or(std::vector<double>()).empty() ? std::vector<double>{1, 2} : random.values;
      body.densities->least = random.least;
      body.densities->most = random.most;
      if (body.thickness || body.repeat) body.densities.reset();
    }
    if (i > 0) body.remesh.reset();
    if (body.rest_on && !body.rest_on->name.empty())
      body.rest_on->name = scene.bodies[0].name + (i == 0 ? "0" : "");
    if (i == 0 || !body.rest_on) {
      body.rest_on.reset();
      body.gap.reset();
    }
    if (!body.group.empty()) body.group = "group";
    if (body.color) body.color = "#d08020";
    for (ForceDescription& force : body.forces) make_sound(force);
    if (!body.shape) body.mesh = "a/ä.msh";
    for (PrescribedDescription& prescribed : body.prescribed) {
      if (prescribed.end) prescribed.end = prescribed.start + *prescribed.end;
      if (!prescribed.keyframes.empty()) {
        prescribed.translation.reset();
        prescribed.displacement.reset();
        prescribed.angle.reset();
        prescribed.scale.reset();
      }
      prescribed.sequence.reset();
      prescribed.axis = Vec3::UnitX();
      const bool all = prescribed.select.vertices.value_or(std::vector<int>()).empty();
      prescribed.select = {all, {}, {}, {}, all ? std::nullopt : prescribed.select.vertices};
      for (size_t k = 0; k < prescribed.keyframes.size(); ++k)
        prescribed.keyframes[k].time = 0.1 * static_cast<double>(k);
      if (!prescribed.keyframes.empty()) prescribed.velocity = prescribed.angular_velocity = Vec3::Zero();
    }
  }
  for (size_t i = 0; i < scene.joints.size(); ++i) {
    JointDescription joint;
    joint.name = "joint" + std::to_string(i);
    joint.a = scene.bodies[0].name;
    joint.at = scene.joints[i].axis;
    joint.break_force = scene.joints[i].break_force;
    joint.ignore_contact = scene.joints[i].ignore_contact;
    scene.joints[i] = joint;
  }
  make_sound_for_remeshing(scene);
}

TEST(DescribeScene, reading_the_description_gives_the_same_scene) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Scene scene;
    Randomizer randomize(seed);
    visit_fields(randomize, scene);
    make_sound(scene);
    const std::string text = describe_scene(scene);
    const Scene again = parse_scene(text, "scene.json");
    ASSERT_EQ(describe_scene(again), text) << "seed " << seed;
    ASSERT_EQ(again.time, scene.time);
    ASSERT_EQ(again.gravity, scene.gravity);
    ASSERT_EQ(again.solver, scene.solver);
    ASSERT_EQ(again.output, scene.output);
    ASSERT_EQ(again.view, scene.view);
    ASSERT_EQ(again.contact, scene.contact);
    ASSERT_EQ(again.bodies.size(), scene.bodies.size());
    for (size_t i = 0; i < scene.bodies.size(); ++i) {
      ASSERT_EQ(again.bodies[i].material, scene.bodies[i].material);
      ASSERT_EQ(again.bodies[i].prescribed, scene.bodies[i].prescribed);
      ASSERT_EQ(again.bodies[i].forces, scene.bodies[i].forces);
      ASSERT_EQ(again.bodies[i].remesh, scene.bodies[i].remesh);
      ASSERT_EQ(again.bodies[i].refine, scene.bodies[i].refine);
      ASSERT_EQ(again.bodies[i].collider, scene.bodies[i].collider);
      ASSERT_EQ(again.bodies[i].densities, scene.bodies[i].densities);
      ASSERT_EQ(again.bodies[i].pressure, scene.bodies[i].pressure);
      ASSERT_EQ(again.bodies[i].rotation, scene.bodies[i].rotation);
      ASSERT_EQ(again.bodies[i].shape.has_value(), scene.bodies[i].shape.has_value());
    }
  }
}

TEST(DescribeScene, negative_zero_stays) {
  Scene scene = parse_scene(kSmall, "scene.json");
  scene.gravity.x() = -0.0;
  EXPECT_TRUE(std::signbit(parse_scene(describe_scene(scene), "scene.json").gravity.x()));
}

TEST(SceneReference, examples_are_sound_scenes) {
  const std::string text = scene_reference();
  std::vector<size_t> bodies;
  for (size_t at = text.find("```json\n"); at != std::string::npos; at = text.find("```json\n", at)) {
    at += 8;
    const size_t end = text.find("```", at);
    bodies.push_back(parse_scene(text.substr(at, end - at), "docs/scene.md").bodies.size());
    at = end + 3;
  }
  EXPECT_EQ(bodies, (std::vector<size_t>{8, 3}));
}

TEST(SceneReference, page_is_up_to_date) {
  const std::string path = MARROW_SOURCE_DIR "/docs/scene.md";
  if (std::getenv("MARROW_UPDATE") != nullptr) write_file(path, scene_reference());
  EXPECT_EQ(read_file(path), scene_reference())
      << "Run this test with MARROW_UPDATE=1 to write the page anew.";
}

}  // namespace
}  // namespace marrow
