#include "scene/check_formulas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/build_motion.h"

namespace marrow {
namespace {

class FormulaCheck {
 public:
  FormulaCheck(const TimeOptions& time, BodyPlace place) : time_(time), place_(std::move(place)) {}

  // times: from the time of a step to that of the formula.
  template <class Formula, class Clock>
  void check(const std::optional<Formula>& formula, const std::string& key, const Clock& clock) const {
    if (!formula || is_constant(*formula)) return;
    const auto count = static_cast<std::int64_t>(std::max(1.0, std::round(time_.duration / time_.step)));
    for (std::int64_t k = 0; k <= count; ++k) {
      const double t = static_cast<double>(k) * time_.step;
      if (is_finite(*formula, clock(t))) continue;
      throw InputError(place_.at(key),
                       fmt::format("the formula is infinite or not a number at t = {:.6g} s", t),
                       "Look for a division by zero, or a root or logarithm of a negative number.");
    }
  }

 private:
  static bool is_constant(const Expression& formula) { return formula.is_constant(); }
  static bool is_constant(const VectorExpression& formula) {
    return formula.x.is_constant() && formula.y.is_constant() && formula.z.is_constant();
  }
  static bool is_finite(const Expression& formula, double t) { return std::isfinite(formula.evaluate(t)); }
  static bool is_finite(const VectorExpression& formula, double t) { return formula.evaluate(t).allFinite(); }

  TimeOptions time_;
  BodyPlace place_;
};

}  // namespace

void check_formulas(const Scene& scene, const std::string& scene_path) {
  const auto as_it_is = [](double t) { return t; };
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyDescription& body = scene.bodies[i];
    const FormulaCheck formulas(scene.time, {scene_path, i});
    formulas.check(body.pressure, "pressure", as_it_is);
    for (size_t k = 0; k < body.forces.size(); ++k) {
      formulas.check(body.forces[k].force, fmt::format("forces[{}].force", k), as_it_is);
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
    }
  }
}

}  // namespace marrow
