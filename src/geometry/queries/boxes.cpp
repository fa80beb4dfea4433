// Queries rebuilt from frames and lists of pairs, and the JSON lists beside query files (queries.h).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "geometry/queries/queries.h"
#include "mesh/io/mesh_file.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

// Reads JSON lists of one kind of element; anything else is an error with its line.
class ListReader {
 public:
  ListReader(std::string_view text, const std::string& name, const char* expected)
      : text_(text), name_(name), expected_(expected) {}

  // Calls read_element between [ and ], with commas.
  template <class ReadElement>
  void read_list(const ReadElement& read_element) {
    expect('[');
    if (accept(']')) return;
    do {
      read_element();
    } while (accept(','));
    expect(']');
  }

  void expect(char c) {
    if (!accept(c)) fail();
  }

  bool accept(char c) {
    skip_blanks();
    if (position_ == text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  bool accept_word(std::string_view word) {
    skip_blanks();
    if (text_.substr(position_, word.size()) != word) return false;
    position_ += word.size();
    return true;
  }

  int read_integer() {
    skip_blanks();
    int value = 0;
    const auto [end, error] = std::from_chars(text_.data() + position_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail();
    position_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  void expect_end() {
    skip_blanks();
    if (position_ != text_.size()) fail();
  }

  [[noreturn]] void fail() const {
    const auto lines =
        std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(position_), '\n');
    const std::string found =
        position_ == text_.size() ? "the file ends" : fmt::format("unexpected '{}'", text_[position_]);
    throw InputError({name_, static_cast<int>(lines) + 1, 0, {}}, found,
                     fmt::format("The file must be {}.", expected_));
  }

 private:
  void skip_blanks() {
    while (position_ < text_.size() &&
           (text_[position_] == ' ' || (text_[position_] >= '\t' && text_[position_] <= '\r')))
      ++position_;
  }

  std::string_view text_;
  const std::string& name_;
  const char* expected_;
  size_t position_ = 0;
};

// Where the answers to a file of queries or boxes usually are; empty if nowhere.
std::string find_truth_path(const std::string& path) {
  const fs::path file(path);
  const fs::path usual = file.parent_path() / ".." / "mma_bool" / (file.stem().string() + "_mma_bool.json");
  for (const fs::path& candidate : {usual, file.parent_path() / "mma_bool.json"}) {
    if (fs::exists(candidate)) return candidate.string();
  }
  return {};
}

// Two frames with the ids of their simplices.
struct Frames {
  Mesh start, end;
  std::vector<Edge> edges;  // by larger vertex, then smaller

  int edge_base() const { return static_cast<int>(start.points.size()); }
  int triangle_base() const { return edge_base() + static_cast<int>(edges.size()); }
  int end_id() const { return triangle_base() + static_cast<int>(start.triangles.size()); }
};

Frames number_simplices(FramePair pair) {
  Frames frames{std::move(pair.start), std::move(pair.end), {}};
  frames.edges = unique_edges(frames.start.triangles);
  std::sort(frames.edges.begin(), frames.edges.end(),
            [](const Edge& a, const Edge& b) { return a[1] != b[1] ? a[1] < b[1] : a[0] < b[0]; });
  return frames;
}

std::optional<CcdQuery> make_query(const Frames& frames, const std::array<int, 2>& pair) {
  const bool is_edges = pair[0] >= frames.edge_base() && pair[0] < frames.triangle_base() &&
                        pair[1] >= frames.edge_base() && pair[1] < frames.triangle_base();
  const bool is_face = pair[0] >= 0 && pair[0] < frames.edge_base() && pair[1] >= frames.triangle_base() &&
                       pair[1] < frames.end_id();
  if (!is_edges && !is_face) return {};
  std::array<Index, 4> v;
  if (is_edges) {
    const Edge a = frames.edges[static_cast<size_t>(pair[0] - frames.edge_base())];
    const Edge b = frames.edges[static_cast<size_t>(pair[1] - frames.edge_base())];
    v = {a[0], a[1], b[0], b[1]};
  } else {
    const Triangle t = frames.start.triangles[static_cast<size_t>(pair[1] - frames.triangle_base())];
    v = {pair[0], t[0], t[1], t[2]};
  }
  CcdQuery query;
  query.kind = is_edges ? PairKind::EdgeEdge : PairKind::PointTriangle;
  for (size_t i = 0; i < 4; ++i) {
    query.x0[i] = frames.start.points[static_cast<size_t>(v[i])];
    query.x1[i] = frames.end.points[static_cast<size_t>(v[i])];
  }
  return query;
}

}  // namespace

std::vector<std::uint8_t> parse_ccd_truth(std::string_view text, const std::string& name) {
  ListReader reader(text, name, "a JSON list of true and false, one per query");
  std::vector<std::uint8_t> truth;
  reader.read_list([&] {
    const bool is_true = reader.accept_word("true");
    if (!is_true && !reader.accept_word("false")) reader.fail();
    truth.push_back(is_true ? 1 : 0);
  });
  reader.expect_end();
  return truth;
}

std::vector<std::array<int, 2>> parse_ccd_boxes(std::string_view text, const std::string& name) {
  ListReader reader(text, name, "a JSON list of pairs of ids, [[0, 1], …]");
  std::vector<std::array<int, 2>> pairs;
  reader.read_list([&] {
    reader.expect('[');
    const int a = reader.read_integer();
    reader.expect(',');
    pairs.push_back({a, reader.read_integer()});
    reader.expect(']');
  });
  reader.expect_end();
  return pairs;
}

void add_ccd_truth(CcdQuerySet& set, const std::string& path, const std::string& truth_path) {
  const std::string source = truth_path.empty() ? find_truth_path(path) : truth_path;
  if (source.empty()) return;
  set.truth = parse_ccd_truth(read_file(source), source);
  if (set.truth.size() != set.queries.size()) {
    throw InputError(
        {source, 0, 0, {}},
        fmt::format("{} answers for the {} queries of {}", set.truth.size(), set.queries.size(), path),
        "Give the list that belongs to the queries with --truth.");
  }
}

FramePair read_frame_pair(const std::string& start_path, const std::string& end_path) {
  FramePair pair{read_mesh(start_path), read_mesh(end_path)};
  const Mesh &a = pair.start, &b = pair.end;
  if (a.points.size() != b.points.size() || a.edges != b.edges || a.triangles != b.triangles) {
    throw InputError({end_path, 0, 0, {}}, "differs from the mesh of " + start_path,
                     "Both frames must have the same points and triangles in the same order.");
  }
  return pair;
}

CcdQuerySet read_ccd_boxes(const std::string& boxes_path, const std::string& start_frame,
                           const std::string& end_frame, const std::string& truth_path) {
  const std::vector<std::array<int, 2>> pairs = parse_ccd_boxes(read_file(boxes_path), boxes_path);
  const Frames frames = number_simplices(read_frame_pair(start_frame, end_frame));
  CcdQuerySet set;
  set.name = boxes_path;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const std::optional<CcdQuery> query = make_query(frames, pairs[i]);
    if (!query) {
      throw InputError(
          {boxes_path, 0, 0, fmt::format("[{}]", i)},
          fmt::format("[{}, {}] is neither two edges nor a vertex and a triangle", pairs[i][0], pairs[i][1]),
          fmt::format("In this mesh, ids below {} are vertices, below {} edges, below {} triangles.",
                      frames.edge_base(), frames.triangle_base(), frames.end_id()));
    }
    set.queries.push_back(*query);
  }
  add_ccd_truth(set, boxes_path, truth_path);
  return set;
}

}  // namespace marrow
