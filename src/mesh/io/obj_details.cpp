#include "mesh/io/obj_details.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace marrow {
namespace {

// Calls visit(number of the line, its words) for every line that is not empty; a backslash at the end joins
// it with the next.
template <class Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  int number = 0, begin = 0;
  std::string joined;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (joined.empty()) begin = number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    line = line.substr(0, line.find('#'));
    joined += line;
    if (!joined.empty() && joined.back() == '\\') {
      joined.back() = ' ';
      continue;
    }
    std::istringstream stream(joined);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (!words.empty()) visit(begin, words);
    joined.clear();
  }
}

double to_number(const std::string& word) {
  double value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

// The texture point of a corner a/t or a/t/n; kNone if it has none.
Index to_texture_corner(const std::string& word, size_t count) {
  const size_t slash = word.find('/');
  if (slash == std::string::npos) return kNone;
  Index index = 0;
  std::from_chars(word.data() + slash + 1, word.data() + word.size(), index);
  if (index < 0) index += static_cast<Index>(count) + 1;
  return index > 0 ? index - 1 : kNone;
}

// The rest of the words as one name.
std::string join_words(const std::vector<std::string>& words, size_t from) {
  std::string name;
  for (size_t i = from; i < words.size(); ++i) name += (i > from ? " " : "") + words[i];
  return name;
}

}  // namespace

ObjDetails read_obj_details(std::string_view text) {
  ObjDetails details;
  Index material = kNone;
  for_each_line(text, [&](int line, const std::vector<std::string>& words) {
    const std::string& keyword = words[0];
    if (keyword == "vt" && words.size() > 1) {
      details.texture_points.push_back({to_number(words[1]), words.size() > 2 ? to_number(words[2]) : 0});
    } else if (keyword == "usemtl") {
      const std::string name = join_words(words, 1);
      const auto known = std::find(details.material_names.begin(), details.material_names.end(), name);
      material = static_cast<Index>(known - details.material_names.begin());
      if (known == details.material_names.end()) details.material_names.push_back(name);
    } else if (keyword == "mtllib") {
      details.libraries.push_back(join_words(words, 1));
    } else if (keyword == "f") {
      std::vector<Index> corners;
      for (size_t i = 1; i < words.size(); ++i) {
        corners.push_back(to_texture_corner(words[i], details.texture_points.size()));
      }
      for (size_t i = 2; i < corners.size(); ++i) {
        details.lines.push_back(line);
        details.texture_corners.push_back({corners[0], corners[i - 1], corners[i]});
        details.materials.push_back(material);
      }
    }
  });
  const auto count = static_cast<Index>(details.texture_points.size());
  for (auto& corners : details.texture_corners) {
    for (Index& corner : corners) corner = corner < count ? corner : kNone;
  }
  return details;
}

std::vector<ObjMaterial> read_mtl(std::string_view text) {
  std::vector<ObjMaterial> materials;
  for_each_line(text, [&](int, const std::vector<std::string>& words) {
    if (words[0] == "newmtl") {
      materials.push_back({join_words(words, 1), {}, 1, {}});
    } else if (materials.empty()) {
      return;
    } else if (words[0] == "Kd" && words.size() > 3) {
      materials.back().color = {to_number(words[1]), to_number(words[2]), to_number(words[3])};
    } else if (words[0] == "d" && words.size() > 1) {
      materials.back().opacity = to_number(words[1]);
    } else if (words[0] == "map_Kd" && words.size() > 1) {
      // Options begin with a minus and take a value; file names come last.
      size_t from = 1;
      while (from + 2 < words.size() && words[from].starts_with("-")) from += 2;
      materials.back().texture = join_words(words, from);
    }
  });
  return materials;
}

}  // namespace marrow
