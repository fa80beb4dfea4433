#include "marrow/number_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace marrow {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

CLI::Validator check_number(const std::string& name, double low, double high) {
  const auto check = [name, low, high](const std::string& text) -> std::string {
    double value = 0;
    if (!text.empty() && CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return {};
    return fmt::format("'{}' is not a {}", text, name);
  };
  return {check, name};
}

}  // namespace

CLI::Validator between(double low, double high) {
  return check_number(fmt::format("number from {:g} to {:g}", low, high), low, high);
}

CLI::Validator not_negative() { return check_number("number that is 0 or above", 0, kLargest); }

CLI::Validator positive() {
  return check_number("number above 0", std::numeric_limits<double>::denorm_min(), kLargest);
}

CLI::Validator finite() { return check_number("finite number", -kLargest, kLargest); }

}  // namespace marrow
