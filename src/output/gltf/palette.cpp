#include "output/gltf/palette.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace marrow {
namespace {

using Rgb = std::array<double, 3>;

constexpr unsigned kBodies[] = {0x4c8dae, 0xe07a5f, 0x81b29a, 0xe9b44c, 0x9c7bb8,
                                0xd4668e, 0x4fa3a5, 0xb08968, 0x7d8cc4, 0x8fa04f};
constexpr unsigned kObstacles[] = {0xb4b9c1, 0x9aa4b0, 0xc6beb0, 0xa5b3a9, 0xbcb0ba, 0x8e979f};

Rgb to_linear(unsigned color) {
  Rgb linear;
  for (int k = 0; k < 3; ++k) {
    const double encoded = (color >> (16 - 8 * k) & 255) / 255.0;  // sRGB
    linear[static_cast<size_t>(k)] =
        encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
  }
  return linear;
}

// The colour, lighter or darker: numbers 1, 2, … are as far from each other as can be, 0 changes nothing. The
// lightness is that of hue, saturation and lightness; the other two stay.
Rgb shade(const Rgb& color, size_t number) {
  if (number == 0) return color;
  const auto [low, high] = std::minmax_element(color.begin(), color.end());
  const double lightness = (*low + *high) / 2, spread = *high - *low;
  const double saturation = spread == 0 ? 0 : spread / (1 - std::abs(2 * lightness - 1));
  const double shift = std::fmod(static_cast<double>(number) * 0.618034 + 0.5, 1) - 0.5;
  const double shifted = std::clamp(lightness + 0.34 * shift, 0.12, 0.9);
  const double chroma = saturation * (1 - std::abs(2 * shifted - 1));
  Rgb shaded;
  for (size_t k = 0; k < 3; ++k) {
    shaded[k] = shifted + (spread == 0 ? 0 : (color[k] - lightness) / spread * chroma);
  }
  return shaded;
}

}  // namespace

std::vector<std::array<double, 3>> choose_colors(const std::vector<OutputBody>& bodies) {
  std::vector<Rgb> colors;
  size_t obstacles = 0, others = 0;
  for (const OutputBody& body : bodies) {
    const bool is_obstacle = body.kind == "obstacle";
    const std::span<const unsigned> list = is_obstacle ? std::span<const unsigned>(kObstacles) : kBodies;
    const size_t index = is_obstacle ? obstacles++ : others++;
    colors.push_back(body.look.color ? to_linear(*body.look.color)
                                     : shade(to_linear(list[index % list.size()]), index / list.size()));
  }
  return colors;
}

}  // namespace marrow
