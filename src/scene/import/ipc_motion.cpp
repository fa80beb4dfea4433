#include "scene/import/ipc_motion.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <numbers>

#include "core/error.h"
#include "math/rotation.h"

namespace marrow {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kMaxSteps = 1000000;

using Choose = std::function<bool(const Vec3&)>;

// Prescribes a motion to the points of volumes that are chosen by their place.
void prescribe(IpcStage& stage, const Choose& choose, const PrescribedDescription& motion) {
  bool is_any = false;
  for (IpcBody& body : stage.bodies) {
    if (body.dimension < 3) continue;
    PrescribedDescription part = motion;
    std::vector<int>& vertices = part.select.vertices.emplace();
    for (size_t i = 0; i < body.points.size(); ++i) {
      if (choose(body.points[i])) vertices.push_back(static_cast<int>(i));
    }
    if (vertices.empty()) continue;
    is_any = true;
    body.description.prescribed.push_back(std::move(part));
  }
  if (!is_any) stage.note(stage.script.motion_line, "the script's motion selects no point of a volume");
}

PrescribedDescription still() { return {}; }

PrescribedDescription moving(const Vec3& velocity) {
  PrescribedDescription motion;
  motion.velocity = velocity;
  return motion;
}

PrescribedDescription turning(const Vec3& angular_velocity, const Vec3& about) {
  PrescribedDescription motion;
  motion.angular_velocity = angular_velocity;
  motion.about = about;
  return motion;
}

// The points at the low end of an axis of the whole box, and at its high end.
struct Ends {
  Choose low, high;
};

Ends choose_ends(const IpcStage& stage, int axis, double ratio) {
  const Eigen::AlignedBox3d box = stage.box();
  const double low = box.min()[axis] + ratio * box.sizes()[axis];
  const double high = box.max()[axis] - ratio * box.sizes()[axis];
  return {[=](const Vec3& x) { return x[axis] < low; },
          [=](const Vec3& x) { return x[axis] > high && !(x[axis] < low); }};
}

// Raises everything by half its diagonal.
void raise(IpcStage& stage) { shift_stage({0, 0.5 * stage.box().diagonal().norm(), 0}, stage); }

// Makes a shape an obstacle that moves as a whole.
void move_body(IpcBody& body, PrescribedDescription motion) {
  BodyDescription& description = body.description;
  description.kind = BodyKind::Obstacle;
  description.material = {};
  motion.select = {};
  motion.select.all = true;
  description.prescribed = {std::move(motion)};
}

// The first so many shapes; each must be a single one.
std::vector<IpcBody*> first_bodies(IpcStage& stage, size_t count) {
  std::vector<IpcBody*> bodies;
  for (IpcBody& body : stage.bodies) {
    if (bodies.size() < count && body.component_count == 1) bodies.push_back(&body);
  }
  if (bodies.size() < count || stage.bodies[count - 1].first_component != count - 1) {
    stage.fail(stage.script.motion_line,
               fmt::format("the motion {} moves the first {} shapes, but there are {}", stage.script.motion,
                           count, stage.bodies.size()));
  }
  return bodies;
}

// How long a motion runs that goes on while goes_on(its displacement) holds at the start of a step.
double compute_end(const IpcStage& stage, double speed, const std::function<bool(double)>& goes_on) {
  const double h = stage.script.step;
  int steps = 0;
  while (steps < kMaxSteps && goes_on(speed * h * steps)) ++steps;
  return steps * h;
}

// ---- motions of volumes ----

void apply_twist(IpcStage& stage, double speed, double stretch) {
  const Ends ends = choose_ends(stage, 0, stage.script.handle_ratio);
  const Vec3 about = stage.box().center();
  PrescribedDescription low = turning({-speed, 0, 0}, about), high = turning({speed, 0, 0}, about);
  low.velocity.x() = -stretch;
  high.velocity.x() = stretch;
  prescribe(stage, ends.low, low);
  prescribe(stage, ends.high, high);
}

void apply_stretch(IpcStage& stage, double speed) {
  const Ends ends = choose_ends(stage, 0, stage.script.handle_ratio);
  prescribe(stage, ends.low, moving({-speed, 0, 0}));
  prescribe(stage, ends.high, moving({speed, 0, 0}));
}

// Pulls both ends apart until the last point of the left end is beyond x = -0.28.
void apply_stretch_and_pause(IpcStage& stage) {
  const Ends ends = choose_ends(stage, 0, 0.01);
  double left = 0;
  for (const IpcBody& body : stage.bodies) {
    for (const Vec3& x : body.points) left = ends.low(x) ? x.x() : left;
  }
  PrescribedDescription low = moving({-1, 0, 0}), high = moving({1, 0, 0});
  low.end = high.end = compute_end(stage, 1, [&](double moved) { return left - moved >= -0.28; });
  prescribe(stage, ends.low, low);
  prescribe(stage, ends.high, high);
}

// Raises everything and drags its right end along x until it has passed the obstacles.
void apply_drag_right(IpcStage& stage) {
  raise(stage);
  constexpr double kSpeed = 0.5;
  PrescribedDescription motion = moving({kSpeed, 0, 0});
  const Eigen::AlignedBox3d box = stage.box();
  double rightmost = -std::numeric_limits<double>::infinity();
  for (const IpcMeshObstacle& obstacle : stage.script.obstacles) {
    rightmost = std::max(rightmost, obstacle.origin.x() + obstacle.size / 2);
  }
  if (rightmost > box.min().x()) {
    motion.release =
        compute_end(stage, kSpeed, [&](double moved) { return box.min().x() + moved <= rightmost; });
    stage.note(stage.script.motion_line,
               fmt::format("IPC releases the bodies once they have passed the obstacles; here they are "
                           "released at {:g} s, when undeformed bodies would have passed",
                           *motion.release));
  }
  prescribe(stage, choose_ends(stage, 0, 0.04).high, motion);
}

// One point at the right end.
void apply_rightmost(IpcStage& stage, const PrescribedDescription& motion) {
  const Choose is_right = choose_ends(stage, 0, 1e-3).high;
  for (IpcBody& body : stage.bodies) {
    for (size_t i = 0; i < body.points.size(); ++i) {
      if (!is_right(body.points[i]) || body.dimension < 3) continue;
      PrescribedDescription part = motion;
      part.select.vertices = {static_cast<int>(i)};
      body.description.prescribed.push_back(std::move(part));
      return;
    }
  }
}

void apply_bottom_and_force(IpcStage& stage, const Vec3& acceleration) {
  const Ends ends = choose_ends(stage, 1, 0.05);
  prescribe(stage, ends.low, still());
  for (IpcBody& body : stage.bodies) {
    ForceDescription force;
    std::vector<int>& vertices = force.select.vertices.emplace();
    for (size_t i = 0; i < body.points.size() && body.dimension == 3; ++i) {
      if (ends.high(body.points[i])) vertices.push_back(static_cast<int>(i));
    }
    force.acceleration = VectorExpression(acceleration);
    if (!vertices.empty()) body.description.forces.push_back(std::move(force));
  }
}

void apply_corner(IpcStage& stage) {
  const Choose x = choose_ends(stage, 0, 0.01).low, y = choose_ends(stage, 1, 0.01).low,
               z = choose_ends(stage, 2, 0.01).low;
  prescribe(
      stage, [=](const Vec3& p) { return x(p) || y(p) || z(p); }, still());
}

void throw_volumes(IpcStage& stage, const Vec3& velocity) {
  for (IpcBody& body : stage.bodies) {
    if (body.dimension == 3) body.description.velocity = velocity;
  }
}

// ---- motions of whole shapes ----

void turn_bodies(IpcStage& stage, const std::vector<Vec3>& angular_velocities) {
  const std::vector<IpcBody*> bodies = first_bodies(stage, angular_velocities.size());
  for (size_t i = 0; i < bodies.size(); ++i) {
    move_body(*bodies[i], turning(angular_velocities[i], bodies[i]->box().center()));
  }
}

// Walls that come together in pairs along the axes and turn back whenever those along x are closer than 0.1.
void squash(IpcStage& stage, size_t walls) {
  const std::vector<IpcBody*> bodies = first_bodies(stage, walls);
  const double h = stage.script.step;
  double gap = bodies[1]->box().min().x() - bodies[0]->box().max().x();
  double moved = 0, direction = 1;
  std::vector<Keyframe> keys = {{0, Vec3::Zero(), Vec3::Zero()}};
  const int steps = std::min(kMaxSteps, static_cast<int>(std::ceil(stage.script.duration / h)));
  const auto add_key = [&](int step) { keys.push_back({step * h, Vec3(moved, 0, 0), Vec3::Zero()}); };
  for (int step = 0; step < steps; ++step) {
    if (gap < 0.1) {
      direction = -direction;
      if (step > 0) add_key(step);
    }
    moved += direction * h;
    gap -= 2 * direction * h;
  }
  add_key(steps);
  for (size_t i = 0; i < walls; ++i) {
    const auto axis = static_cast<Index>(i / 2);
    PrescribedDescription motion;
    for (Keyframe key : keys) {
      Vec3 shift = Vec3::Zero();
      shift[axis] = i % 2 == 0 ? key.translation.x() : -key.translation.x();
      key.translation = shift;
      motion.keyframes.push_back(key);
    }
    move_body(*bodies[i], motion);
  }
}

// The upper of two beds of thin shapes comes down until it is 0.1 above the lower.
void squash_beds(IpcStage& stage) {
  const size_t half = (stage.component_count + 1) / 2;
  std::vector<IpcBody*> upper;
  double top = std::numeric_limits<double>::infinity(), bottom = -top;
  for (IpcBody& body : stage.bodies) {
    if (body.dimension == 3) continue;
    if (body.first_component >= half) {
      upper.push_back(&body);
      top = std::min(top, body.box().min().y());
    } else if (body.first_component + body.component_count <= half) {
      bottom = std::max(bottom, body.box().max().y());
    } else {
      stage.fail(body.shape->line, "half of this shapeMatrix moves, half does not",
                 "Write the two beds as two matrices of the same number of shapes.");
    }
  }
  PrescribedDescription motion = moving({0, -1, 0});
  motion.end = compute_end(stage, 1, [&](double moved) { return top - moved - bottom > 0.1; });
  for (IpcBody* body : upper) move_body(*body, motion);
}

// The first shape comes down until it is in the neck of the second.
void squeeze_out(IpcStage& stage) {
  const std::vector<IpcBody*> bodies = first_bodies(stage, 2);
  const Eigen::AlignedBox3d press = bodies[0]->box(), funnel = bodies[1]->box();
  const double stop = funnel.min().y() + funnel.sizes().y() / 3.8 * 0.9;
  PrescribedDescription motion = moving({0, -0.3, 0});
  motion.end = compute_end(stage, 0.3, [&](double moved) { return press.max().y() - moved > stop; });
  move_body(*bodies[0], motion);
}

double first_value(const IpcStage& stage, double otherwise) {
  return stage.script.motion_values.empty() ? otherwise : stage.script.motion_values.front();
}

// Every motion by name.
const std::map<std::string, void (*)(IpcStage&)>& motions() {
  static const std::map<std::string, void (*)(IpcStage&)> list = {
      {"null", [](IpcStage&) {}},
      {"fall", [](IpcStage& s) { raise(s); }},
      {"fallNoShift", [](IpcStage&) {}},
      {"drop",
       [](IpcStage& s) {
         throw_volumes(s, {0, -1, 0});
       }},
      {"dragright", apply_drag_right},
      {"twist", [](IpcStage& s) { apply_twist(s, 0.4 * kPi, 0); }},
      {"twistnstretch", [](IpcStage& s) { apply_twist(s, 0.1 * kPi, 0.1); }},
      {"stretch", [](IpcStage& s) { apply_stretch(s, 0.1); }},
      {"squash", [](IpcStage& s) { apply_stretch(s, -0.03); }},
      {"stretchAndPause", apply_stretch_and_pause},
      {"hang2", [](IpcStage& s) { prescribe(s, choose_ends(s, 1, 0.01).high, still()); }},
      {"hangLeft", [](IpcStage& s) { prescribe(s, choose_ends(s, 0, s.script.handle_ratio).low, still()); }},
      {"stamp", [](IpcStage& s) { prescribe(s, choose_ends(s, 0, s.script.handle_ratio).low, still()); }},
      {"stampBoth", [](IpcStage& s) { apply_stretch(s, 0); }},
      {"stand", [](IpcStage& s) { prescribe(s, choose_ends(s, 1, 0.01).low, still()); }},
      {"topbottomfix",
       [](IpcStage& s) {
         const Ends ends = choose_ends(s, 1, 0.02);
         prescribe(
             s, [=](const Vec3& x) { return ends.low(x) || ends.high(x); }, still());
       }},
      {"fixLowerHalf", [](IpcStage& s) { prescribe(s, choose_ends(s, 1, 0.5).low, still()); }},
      {"corner", apply_corner},
      {"fixRightMost1", [](IpcStage& s) { apply_rightmost(s, still()); }},
      {"pushRightMost1",
       [](IpcStage& s) {
         apply_rightmost(s, moving({-0.15, 0, 0}));
       }},
      {"NMFixBottomDragLeft",
       [](IpcStage& s) {
         apply_bottom_and_force(s, {-600, 0, 0});
       }},
      {"NMFixBottomDragForward",
       [](IpcStage& s) {
         apply_bottom_and_force(s, {0, 0, 600});
       }},
      {"DCOFix", [](IpcStage&) {}},
      {"DCOBallHitWall",
       [](IpcStage& s) {
         throw_volumes(s, {first_value(s, 1000), 0, 0});
       }},
      {"DCORotCylinders",
       [](IpcStage& s) {
         turn_bodies(s, {{kPi / 2, 0, 0}, {-kPi / 2, 0, 0}, {0, 0, -kPi / 2}, {0, 0, kPi / 2}});
       }},
      {"DCOVerschoorRoller",
       [](IpcStage& s) {
         turn_bodies(s, {{0, 0, -4}, {0, 0, -2}, {0, 0, 2}, {0, 0, 4}, {2, 0, 0}, {-2, 0, 0}});
       }},
      {"DCOSquash", [](IpcStage& s) { squash(s, 2); }},
      {"DCOSquash6", [](IpcStage& s) { squash(s, 6); }},
      {"DCOSegBedSquash", squash_beds},
      {"DCOSqueezeOut", squeeze_out},
  };
  return list;
}

}  // namespace

void apply_ipc_motion(IpcStage& stage) {
  const IpcScript& script = stage.script;
  const auto found = motions().find(script.motion);
  if (found == motions().end()) {
    std::vector<std::string> names;
    for (const auto& [name, apply] : motions()) names.push_back(name);
    const std::string nearest = nearest_name(script.motion, names);
    stage.fail(
        script.motion_line, fmt::format("the motion '{}' is not known", script.motion),
        fmt::format("{}Known are {}.", nearest.empty() ? "" : fmt::format("Did you mean {}? ", nearest),
                    fmt::join(names, ", ")));
  }
  found->second(stage);
}

}  // namespace marrow
