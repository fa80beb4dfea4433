#include "run/scene_notes.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mesh/point_box.h"
#include "scene/body_names.h"
#include "sim/start/meeting_bodies.h"

namespace marrow {
namespace {

// What is unusual enough for a note. [speed only: notes to read]
struct Unusual {
  double large = 50, small = 5e-4;     // box diagonals of bodies from mesh files [m]
  double light = 2, heavy = 3e4;       // densities: below foam, above all metals [kg/m³]
  double stiff = 2e12, soft = 1e3;     // Young's moduli: above diamond; candidates for kPa or GPa [Pa]
  double sag = 10;                     // density · gravity · size over the modulus
  double reach = 0.5;                  // d_hat over the box diagonal of a body
  double fall = 1, fall_in_sizes = 3;  // [m]; box diagonals
};
constexpr Unusual kUnusual;
constexpr size_t kNamed = 4;

// ""a" and "b"", ""a", "b", "c", "d" and 3 more".
std::string join_names(const Scene& scene, const std::vector<size_t>& bodies) {
  std::string text;
  const size_t shown = bodies.size() <= kNamed ? bodies.size() : kNamed;
  for (size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == bodies.size();
    text += fmt::format("{}\"{}\"", i == 0 ? "" : is_last ? " and " : ", ", scene.name_of(bodies[i]));
  }
  if (shown < bodies.size()) text += fmt::format(" and {} more", bodies.size() - shown);
  return text;
}

class NoteList {
 public:
  NoteList(const Scene& scene, const Model& model) : scene_(scene), model_(model) {
    for (const Body& body : model.kinematics.bodies) boxes_.push_back(compute_box(body.rest.points));
  }

  std::vector<std::string> list() {
    add_sizes();
    add_reach();
    add_materials();
    return std::move(notes_);
  }
  std::vector<std::string> list_falls() {
    add_falls();
    return std::move(notes_);
  }

 private:
  double size_of(size_t b) const { return boxes_[b].diagonal().norm(); }
  bool is_obstacle(size_t b) const { return scene_.bodies[b].kind == BodyKind::Obstacle; }

  template <class Is>
  std::vector<size_t> find(const Is& is) const {
    std::vector<size_t> found;
    for (size_t b = 0; b < scene_.bodies.size(); ++b) {
      if (!is_obstacle(b) && is(b)) found.push_back(b);
    }
    return found;
  }

  // The names, then what one is or several are, then the rest of the sentence.
  void add(const std::vector<size_t>& bodies, const std::string& is, const std::string& are,
           const std::string& rest) {
    if (bodies.empty()) return;
    notes_.push_back(fmt::format("{} {}{}", join_names(scene_, bodies), bodies.size() == 1 ? is : are, rest));
  }

  void add_sizes() {
    const auto large = find([&](size_t b) { return scene_.bodies[b].mesh && size_of(b) > kUnusual.large; });
    const auto small = find(
        [&](size_t b) { return scene_.bodies[b].mesh && size_of(b) > 0 && size_of(b) < kUnusual.small; });
    if (!large.empty()) {
      add(large, fmt::format("is {:.3g} m large", size_of(large[0])),
          "are that large: tens of metres and more",
          ". Lengths are in metres; for a mesh in millimetres give \"scale\": [0.001, 0.001, 0.001]");
    }
    if (!small.empty()) {
      add(small, fmt::format("is only {:.3g} m large", size_of(small[0])),
          "are smaller than half a millimetre",
          ". Lengths are in metres; for a mesh in other units give \"scale\"");
    }
  }

  void add_reach() {
    if (!model_.contact.is_enabled) return;
    const double d_hat = model_.contact.d_hat;
    const auto reached =
        find([&](size_t b) { return size_of(b) > 0 && d_hat > kUnusual.reach * size_of(b); });
    if (reached.empty()) return;
    notes_.push_back(fmt::format(
        "contact.d_hat is {:.3g} m, and {} only {:.3g} m large: bodies push each other away from that far. "
        "A thousandth of a body's size is usual",
        d_hat, join_names(scene_, reached) + (reached.size() == 1 ? " is" : " are"), size_of(reached[0])));
  }

  void add_materials() {
    const auto density = [&](size_t b) { return scene_.bodies[b].material.density; };
    const auto modulus = [&](size_t b) { return scene_.bodies[b].material.youngs_modulus; };
    const auto deforms = [&](size_t b) {
      return scene_.bodies[b].kind == BodyKind::Soft || scene_.bodies[b].kind == BodyKind::Medial;
    };
    const auto light = find([&](size_t b) { return density(b) < kUnusual.light; });
    const auto heavy = find([&](size_t b) { return density(b) > kUnusual.heavy; });
    for (const auto* list : {&light, &heavy}) {
      if (list->empty()) continue;
      add(*list, "has", "have",
          fmt::format(
              " a density of {:g} kg/m³, and water has 1000: densities are in kg/m³ (1 g/cm³ is 1000)",
              density(list->front())));
    }
    const auto stiff = find([&](size_t b) { return deforms(b) && modulus(b) > kUnusual.stiff; });
    if (!stiff.empty()) {
      add(stiff, "has", "have",
          fmt::format(" a Young's modulus of {:g} Pa, and diamond has 1e12: moduli are in Pa",
                      modulus(stiff[0])));
    }
    const auto load = [&](size_t b) { return density(b) * model_.gravity.norm() * size_of(b); };
    const auto soft = find([&](size_t b) {
      return deforms(b) && !scene_.bodies[b].thickness && modulus(b) < kUnusual.soft &&
             load(b) > kUnusual.sag * modulus(b);
    });
    if (!soft.empty()) {
      add(soft, "has", "have",
          fmt::format(" a Young's modulus of {:g} Pa, but {} own weight presses with {:.2g} Pa and flattens "
                      "such a body: moduli are in Pa (1 kPa is 1000, 1 GPa is 1e9)",
                      modulus(soft[0]), soft.size() == 1 ? "its" : "their", load(soft[0])));
    }
  }

  bool is_held(size_t b) const {
    const BodyDescription& body = scene_.bodies[b];
    if (is_obstacle(b) || !body.prescribed.empty() || !body.forces.empty() || !body.locked.empty())
      return true;
    return std::any_of(scene_.joints.begin(), scene_.joints.end(), [&](const JointDescription& joint) {
      return joint.a == scene_.name_of(b) || joint.b == scene_.name_of(b);
    });
  }

  bool may_meet(size_t a, size_t b) const {
    const auto& ignored = model_.contact.ignored_bodies;
    const IndexPair pair = {static_cast<Index>(std::min(a, b)), static_cast<Index>(std::max(a, b))};
    return model_.contact.is_enabled && std::find(ignored.begin(), ignored.end(), pair) == ignored.end();
  }

  // Whether `low` could catch `high`: it reaches below, and they meet if both drift as they start.
  bool is_below(size_t low, size_t high, const Vec3& up, double fall) const {
    const double time = scene_.time.duration;
    const Vec3 drift = scene_.bodies[high].velocity - scene_.bodies[low].velocity;
    const double reach = size_of(high) + time * (drift - drift.dot(up) * up).norm();
    const Vec3 a = boxes_[low].center(), b = boxes_[high].center();
    const auto half = [&](size_t body, const Vec3& along) {
      return 0.5 * boxes_[body].sizes().dot(along.cwiseAbs());
    };
    for (int k = 0; k < 3; ++k) {
      const Vec3 side = Vec3::Unit(k) - up[k] * up;
      if (side.norm() < 0.5) continue;
      const Vec3 axis = side.normalized();
      if (std::abs(axis.dot(a - b)) > half(low, axis) + half(high, axis) + reach) return false;
    }
    const double gap = up.dot(b - a) - half(low, up) - half(high, up);
    return gap < fall && up.dot(b) + half(high, up) > up.dot(a) - half(low, up);
  }

  void add_falls() {
    if (!(model_.gravity.norm() > 0) || model_.time.integrator == Integrator::QuasiStatic) return;
    const Vec3 up = find_up(model_);
    const double time = scene_.time.duration, fall = 0.5 * model_.gravity.norm() * time * time;
    const size_t count = scene_.bodies.size();
    std::vector<char> is_caught(count, 0);
    for (size_t b = 0; b < count; ++b) is_caught[b] = is_held(b) ? 1 : 0;
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (size_t b = 0; b < count; ++b) {
        for (size_t low = 0; is_caught[b] == 0 && low < count; ++low) {
          if (low == b || is_caught[low] == 0 || !may_meet(low, b) || !is_below(low, b, up, fall)) continue;
          is_caught[b] = 1;
          has_changed = true;
        }
      }
    }
    const auto falls = find([&](size_t b) {
      const double rise = std::max(0.0, scene_.bodies[b].velocity.dot(up)) * time;
      return is_caught[b] == 0 && fall - rise > std::max(kUnusual.fall, kUnusual.fall_in_sizes * size_of(b));
    });
    add(falls, "only falls", "only fall",
        fmt::format(", {:.3g} m in {:g} s, with nothing below: add an obstacle as the ground, or set "
                    "\"gravity\": [0, 0, 0]",
                    fall, time));
  }

  const Scene& scene_;
  const Model& model_;
  std::vector<Eigen::AlignedBox3d> boxes_;
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> list_scene_notes(const Scene& scene, const Model& model) {
  return NoteList(scene, model).list();
}

std::vector<std::string> list_fall_notes(const Scene& scene, const Model& model) {
  return NoteList(scene, model).list_falls();
}

}  // namespace marrow
