#include "output/vtk/xml_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace marrow {
namespace {

constexpr std::array<std::pair<char, std::string_view>, 4> kEntities = {
    {{'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'&', "&amp;"}}};

std::string unescape_xml(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const auto entity = std::find_if(kEntities.begin(), kEntities.end(), [&](const auto& candidate) {
      return text.starts_with(candidate.second);
    });
    const bool is_entity = entity != kEntities.end();
    plain += is_entity ? entity->first : text.front();
    text.remove_prefix(is_entity ? entity->second.size() : 1);
  }
  return plain;
}

}  // namespace

bool take_tag(std::string_view& text, XmlTag& tag) {
  const size_t open = text.find('<');
  if (open == std::string_view::npos) return false;
  const size_t close = text.find('>', open);
  if (close == std::string_view::npos) return false;
  const std::string_view inside = text.substr(open + 1, close - open - 1);
  const size_t name_end = std::min(inside.find_first_of(" \t\r\n"), inside.size());
  text.remove_prefix(close + 1);
  tag.name = inside.substr(0, name_end);
  tag.inside = inside.substr(name_end);
  tag.following = text.substr(0, text.find('<'));
  return true;
}

std::string attribute(const XmlTag& tag, std::string_view name) {
  const std::string opening = fmt::format(" {}=\"", name);
  const size_t start = tag.inside.find(opening);
  if (start == std::string_view::npos) return {};
  const std::string_view value = tag.inside.substr(start + opening.size());
  return unescape_xml(value.substr(0, value.find('"')));
}

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto entity = std::find_if(kEntities.begin(), kEntities.end(),
                                     [&](const auto& candidate) { return candidate.first == c; });
    if (entity == kEntities.end()) {
      escaped += c;
    } else {
      escaped += entity->second;
    }
  }
  return escaped;
}

}  // namespace marrow
