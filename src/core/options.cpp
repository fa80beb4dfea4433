#include "core/options.h"

#include <fmt/format.h>

#include <cmath>

namespace marrow {

std::string explain_range(const Field& field, double value) {
  if (!std::isfinite(value)) return "must be a finite number";
  if (!(value > field.above)) return fmt::format("must be above {:g}", field.above);
  if (!(value >= field.at_least)) return fmt::format("must be at least {:g}", field.at_least);
  if (!(value < field.below)) return fmt::format("must be below {:g}", field.below);
  if (!(value <= field.at_most)) return fmt::format("must be at most {:g}", field.at_most);
  return {};
}

}  // namespace marrow
