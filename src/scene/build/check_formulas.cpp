#include "scene/build/check_formulas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/build/build_motion.h"

namespace marrow {
namespace {

// Of a prescribed motion. Beyond it rounding, 1e-16 of a position, exceeds the least gap that a run can start
// with, 1e-10 of the scene [derived].
constexpr double kLargestScale = 1e6;

class FormulaCheck {
 public:
  FormulaCheck(const TimeOptions& time, Location place) : time_(time), place_(std::move(place)) {}

  // times: from the time of a step to that of the formula.
  template <class Formula, class Clock>
  void check(const std::optional<Formula>& formula, const std::string& key, const Clock& clock) const {
    if (!formula) return;
    for_each_time(is_constant(*formula), [&](double t) {
      if (is_finite(*formula, clock(t))) return;
      fail(key, fmt::format("the formula is infinite or not a number at t = {:.6g} s", t),
           "Look for a division by zero, or a root or logarithm of a negative number.");
    });
  }

  void check_above_zero(const std::optional<Expression>& formula, const std::string& key) const {
    if (!formula) return;
    for_each_time(is_constant(*formula), [&](double t) {
      if (formula->evaluate(t) > 0) return;
      fail(key,
           fmt::format("the motor asks for a distance of {:.6g} m at t = {:.6g} s", formula->evaluate(t), t),
           "A distance between two points stays above 0.");
    });
  }

  // A scale of 0 makes all points one, a negative one turns the body inside out.
  template <class Clock>
  void check_scale(const std::optional<Expression>& formula, const std::string& key,
                   const Clock& clock) const {
    if (!formula) return;
    for_each_time(is_constant(*formula), [&](double t) {
      const double scale = formula->evaluate(clock(t));
      if (scale > 0 && scale <= kLargestScale) return;
      fail(key, fmt::format("the scale is {:.6g} at t = {:.6g} s", scale, t),
           scale > 0 ? fmt::format("It may be at most {:g}.", kLargestScale)
                     : "It must stay above 0: limit the formula, as in max(1 - t, 0.01), or give an end.");
    });
  }

 private:
  static bool is_constant(const Expression& formula) { return formula.is_constant(); }
  static bool is_constant(const VectorExpression& formula) {
    return formula.x.is_constant() && formula.y.is_constant() && formula.z.is_constant();
  }
  static bool is_finite(const Expression& formula, double t) { return std::isfinite(formula.evaluate(t)); }
  static bool is_finite(const VectorExpression& formula, double t) { return formula.evaluate(t).allFinite(); }

  template <class Look>
  void for_each_time(bool is_one_enough, const Look& look) const {
    const auto count = is_one_enough ? 0 : std::llround(std::max(1.0, time_.duration / time_.step));
    for (long long k = 0; k <= count; ++k) look(static_cast<double>(k) * time_.step);
  }

  [[noreturn]] void fail(const std::string& key, const std::string& problem,
                         const std::string& advice) const {
    throw InputError({place_.file, 0, 0, place_.json_path + "." + key}, problem, advice);
  }

  TimeOptions time_;
  Location place_;  // of what has the formulas
};

}  // namespace

void check_formulas(const Scene& scene, const std::string& scene_path) {
  const auto as_it_is = [](double t) { return t; };
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyDescription& body = scene.bodies[i];
    const FormulaCheck formulas(scene.time, place_of(body.origin, scene_path, "bodies", i));
    formulas.check(body.pressure, "pressure", as_it_is);
    for (size_t k = 0; k < body.forces.size(); ++k) {
      formulas.check(body.forces[k].force, fmt::format("forces[{}].force", k), as_it_is);
      formulas.check(body.forces[k].traction, fmt::format("forces[{}].traction", k), as_it_is);
      formulas.check(body.forces[k].acceleration, fmt::format("forces[{}].acceleration", k), as_it_is);
      formulas.check(body.forces[k].torque, fmt::format("forces[{}].torque", k), as_it_is);
    }
    for (size_t k = 0; k < body.prescribed.size(); ++k) {
      const PrescribedDescription& part = body.prescribed[k];
      const auto since_start = [&](double t) {
        const double last = std::min(part.end.value_or(t), part.release.value_or(t));
        return std::max(std::min(t, last) - part.start, 0.0);
      };
      const std::string key = fmt::format("prescribed[{}].", k);
      formulas.check(part.translation, key + "translation", since_start);
      formulas.check(part.angle, key + "angle", since_start);
      formulas.check(part.scale, key + "scale", since_start);
      formulas.check_scale(part.scale, key + "scale", since_start);
    }
  }
  for (size_t i = 0; i < scene.joints.size(); ++i) {
    const JointDescription& joint = scene.joints[i];
    if (!joint.motor) continue;
    const FormulaCheck formulas(scene.time, place_of(joint.origin, scene_path, "joints", i));
    formulas.check(joint.motor->speed, "motor.speed", as_it_is);
    formulas.check(joint.motor->position, "motor.position", as_it_is);
    if (joint.type == JointType::Distance) formulas.check_above_zero(joint.motor->position, "motor.position");
  }
}

}  // namespace marrow
