#include "math/section_plane.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>
#include <vector>

namespace marrow {
namespace {

// Comma-separated finite numbers; empty if there is anything else.
std::vector<double> parse_numbers(std::string_view text) {
  std::vector<double> numbers;
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    while (at != end && *at == ' ') ++at;
    double number = 0;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc() || !std::isfinite(number)) return {};
    numbers.push_back(number);
    if (rest == end) return numbers;
    if (*rest != ',') return {};
    at = rest + 1;
  }
}

}  // namespace

std::optional<SectionPlane> parse_section(const std::string& text) {
  std::string tight;
  std::remove_copy(text.begin(), text.end(), std::back_inserter(tight), ' ');
  SectionPlane plane;
  if (tight.size() > 2 && tight[0] >= 'x' && tight[0] <= 'z' &&
      std::string_view("=<>").find(tight[1]) != std::string_view::npos) {
    const std::vector<double> number = parse_numbers(std::string_view(tight).substr(2));
    if (number.size() != 1) return {};
    plane.normal = Vec3::Unit(tight[0] - 'x') * (tight[1] == '>' ? -1 : 1);
    plane.offset = number[0] * (tight[1] == '>' ? -1 : 1);
    plane.faces_camera = tight[1] == '=';
    return plane;
  }
  const std::vector<double> numbers = parse_numbers(tight);
  if (numbers.size() != 6) return {};
  const Vec3 normal(numbers[3], numbers[4], numbers[5]);
  if (!(normal.norm() > 0)) return {};
  plane.normal = normal.normalized();
  plane.offset = plane.normal.dot(Vec3(numbers[0], numbers[1], numbers[2]));
  return plane;
}

}  // namespace marrow
