#include "scene/view_description.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

namespace marrow {
namespace {

// The names of CSS that people use.
constexpr std::pair<std::string_view, unsigned> kColors[] = {
    {"aqua", 0x00ffff},       {"beige", 0xf5f5dc},
    {"black", 0x000000},      {"blue", 0x0000ff},
    {"brown", 0xa52a2a},      {"chocolate", 0xd2691e},
    {"coral", 0xff7f50},      {"cornflowerblue", 0x6495ed},
    {"crimson", 0xdc143c},    {"cyan", 0x00ffff},
    {"darkblue", 0x00008b},   {"darkgray", 0xa9a9a9},
    {"darkgreen", 0x006400},  {"darkgrey", 0xa9a9a9},
    {"darkorange", 0xff8c00}, {"darkred", 0x8b0000},
    {"deeppink", 0xff1493},   {"dimgray", 0x696969},
    {"dimgrey", 0x696969},    {"dodgerblue", 0x1e90ff},
    {"firebrick", 0xb22222},  {"forestgreen", 0x228b22},
    {"fuchsia", 0xff00ff},    {"gold", 0xffd700},
    {"goldenrod", 0xdaa520},  {"gray", 0x808080},
    {"green", 0x008000},      {"grey", 0x808080},
    {"hotpink", 0xff69b4},    {"indigo", 0x4b0082},
    {"ivory", 0xfffff0},      {"khaki", 0xf0e68c},
    {"lavender", 0xe6e6fa},   {"lightblue", 0xadd8e6},
    {"lightgray", 0xd3d3d3},  {"lightgreen", 0x90ee90},
    {"lightgrey", 0xd3d3d3},  {"lime", 0x00ff00},
    {"limegreen", 0x32cd32},  {"magenta", 0xff00ff},
    {"maroon", 0x800000},     {"navy", 0x000080},
    {"olive", 0x808000},      {"orange", 0xffa500},
    {"orangered", 0xff4500},  {"orchid", 0xda70d6},
    {"peru", 0xcd853f},       {"pink", 0xffc0cb},
    {"plum", 0xdda0dd},       {"purple", 0x800080},
    {"red", 0xff0000},        {"royalblue", 0x4169e1},
    {"salmon", 0xfa8072},     {"sandybrown", 0xf4a460},
    {"seagreen", 0x2e8b57},   {"sienna", 0xa0522d},
    {"silver", 0xc0c0c0},     {"skyblue", 0x87ceeb},
    {"slategray", 0x708090},  {"slategrey", 0x708090},
    {"steelblue", 0x4682b4},  {"tan", 0xd2b48c},
    {"teal", 0x008080},       {"tomato", 0xff6347},
    {"turquoise", 0x40e0d0},  {"violet", 0xee82ee},
    {"wheat", 0xf5deb3},      {"white", 0xffffff},
    {"yellow", 0xffff00}};

}  // namespace

std::optional<unsigned> parse_color(const std::string& text) {
  std::string name;
  std::transform(text.begin(), text.end(), std::back_inserter(name),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const auto& [known, color] : kColors) {
    if (known == name) return color;
  }
  if ((name.size() != 4 && name.size() != 7) || name[0] != '#') return {};
  unsigned digits = 0;
  const auto [rest, error] = std::from_chars(name.data() + 1, name.data() + name.size(), digits, 16);
  if (error != std::errc() || rest != name.data() + name.size()) return {};
  if (name.size() == 7) return digits;
  const unsigned r = digits >> 8, g = digits >> 4 & 15, b = digits & 15;
  return (r << 16 | g << 8 | b) * 17;
}

}  // namespace marrow
