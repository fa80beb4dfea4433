#include "mesh/io/obj_details.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "mesh/io/polygons.h"

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
  std::from_chars(word.data() + (word[0] == '+' ? 1 : 0), word.data() + word.size(), value);
  return value;
}

// The number at the front of a word as a place in a list that has so many entries so far; kNone if there is
// none.
Index to_place(std::string_view word, size_t count) {
  Index index = 0;
  std::from_chars(word.data(), word.data() + word.size(), index);
  if (index < 0) index += static_cast<Index>(count) + 1;
  return index > 0 ? index - 1 : kNone;
}

// The texture point of a corner a/t or a/t/n; kNone if it has none.
Index to_texture_corner(std::string_view word, size_t count) {
  const size_t slash = word.find('/');
  return slash == std::string_view::npos ? kNone : to_place(word.substr(slash + 1), count);
}

// The rest of the words as one name.
std::string join_words(const std::vector<std::string>& words, size_t from) {
  std::string name;
  for (size_t i = from; i < words.size(); ++i) name += (i > from ? " " : "") + words[i];
  return name;
}

struct Face {
  int line = 0;
  Index material = kNone;
  std::vector<Index> points, texture;  // of its corners
};

// Its triangles, as parse_obj cuts them.
void add_face(const Face& face, const Points& points, ObjDetails& details) {
  Points corners;
  for (const Index point : face.points) {
    if (point < 0 || static_cast<size_t>(point) >= points.size()) return;  // parse_obj refuses it
    corners.push_back(points[static_cast<size_t>(point)]);
  }
  for (const auto& cut : cut_polygon(corners)) {
    details.lines.push_back(face.line);
    details.texture_corners.push_back({face.texture[cut[0]], face.texture[cut[1]], face.texture[cut[2]]});
    details.materials.push_back(face.material);
  }
}

}  // namespace

ObjDetails read_obj_details(std::string_view text) {
  ObjDetails details;
  Index material = kNone;
  Points points;
  std::vector<Face> faces;
  for_each_line(text, [&](int line, const std::vector<std::string>& words) {
    const std::string& keyword = words[0];
    if (keyword == "v" && words.size() > 3) {
      points.push_back({to_number(words[1]), to_number(words[2]), to_number(words[3])});
    } else if (keyword == "vt" && words.size() > 1) {
      details.texture_points.push_back({to_number(words[1]), words.size() > 2 ? to_number(words[2]) : 0});
    } else if (keyword == "usemtl") {
      const std::string name = join_words(words, 1);
      const auto known = std::find(details.material_names.begin(), details.material_names.end(), name);
      material = static_cast<Index>(known - details.material_names.begin());
      if (known == details.material_names.end()) details.material_names.push_back(name);
    } else if (keyword == "mtllib") {
      details.libraries.push_back(join_words(words, 1));
    } else if (keyword == "f") {
      Face& face = faces.emplace_back(Face{line, material, {}, {}});
      for (size_t i = 1; i < words.size(); ++i) {
        face.points.push_back(to_place(words[i], points.size()));
        face.texture.push_back(to_texture_corner(words[i], details.texture_points.size()));
      }
    }
  });
  for (const Face& face : faces) add_face(face, points, details);
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
