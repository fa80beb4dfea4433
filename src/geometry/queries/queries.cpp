#include "geometry/queries/queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "geometry/queries/rational.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

std::string_view trim(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// One row of a file: its columns, and where it is for errors.
class Row {
 public:
  Row(std::string_view line, const std::string& name, int number) : name_(name), number_(number) {
    for (;;) {
      const size_t comma = line.find(',');
      columns_.push_back(trim(line.substr(0, comma)));
      if (comma == std::string_view::npos) break;
      line.remove_prefix(comma + 1);
    }
  }

  size_t size() const { return columns_.size(); }
  int number() const { return number_; }

  [[noreturn]] void fail(const std::string& problem, const std::string& advice) const {
    throw InputError({name_, number_, 0, {}}, problem, advice);
  }

  // The coordinate in columns 2k and 2k + 1.
  double read_coordinate(size_t k) const {
    const std::string_view numerator = columns_[2 * k], denominator = columns_[2 * k + 1];
    if (!is_integer_text(numerator)) return read_decimal(numerator, denominator);
    if (!is_integer_text(denominator)) fail_number(denominator);
    if (is_zero_text(denominator)) {
      fail(fmt::format("the denominator in column {} is zero", 2 * k + 2),
           "Every coordinate is a numerator and a denominator other than zero.");
    }
    const std::optional<double> value = compute_exact_quotient(numerator, denominator);
    if (!value) {
      fail(fmt::format("{}/{} is not exactly representable as a double", numerator, denominator),
           "Queries are decided exactly, so coordinates must not be rounded; give the value that was used.");
    }
    return *value;
  }

  // The answer in the last column.
  std::uint8_t read_truth() const {
    if (columns_.back() != "0" && columns_.back() != "1") {
      fail(fmt::format("the answer is \"{}\"", columns_.back()), "The seventh column must be 0 or 1.");
    }
    return columns_.back() == "1" ? 1 : 0;
  }

 private:
  [[noreturn]] void fail_number(std::string_view text) const {
    fail(fmt::format("\"{}\" is not a number", text),
         "Columns are x, y, z as numerator, denominator, then optionally the answer; there is no header.");
  }

  double read_decimal(std::string_view text, std::string_view denominator) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) fail_number(text);
    if (denominator != "1") {
      fail(fmt::format("{} has the denominator \"{}\"", text, denominator),
           "A decimal number stands for itself: its denominator must be 1.");
    }
    return value;
  }

  const std::string& name_;
  int number_;
  std::vector<std::string_view> columns_;
};

std::vector<Row> split_rows(std::string_view text, const std::string& name) {
  std::vector<Row> rows;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (!trim(line).empty()) rows.emplace_back(line, name, number);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return rows;
}

void require_shape(const std::vector<Row>& rows, const std::string& name) {
  for (const Row& row : rows) {
    if (row.size() != 6 && row.size() != 7) {
      row.fail(fmt::format("{} columns", row.size()),
               "A row has 6 columns (x, y, z as numerator, denominator) or 7 (with the answer).");
    }
    if (row.size() != rows.front().size()) {
      row.fail(fmt::format("{} columns, but earlier rows have {}", row.size(), rows.front().size()),
               "All rows of a file must have the same number of columns.");
    }
  }
  if (rows.empty() || rows.size() % 8 != 0) {
    const int line = rows.empty() ? 0 : rows.back().number();
    throw InputError({name, line, 0, {}}, fmt::format("{} rows", rows.size()),
                     "Eight rows make one query: four points at the start, the same four at the end.");
  }
}

CcdQuery read_query(const Row* rows, PairKind kind) {
  CcdQuery query;
  query.kind = kind;
  for (size_t i = 0; i < 8; ++i) {
    Vec3& x = i < 4 ? query.x0[i] : query.x1[i - 4];
    for (size_t k = 0; k < 3; ++k) x[static_cast<int>(k)] = rows[i].read_coordinate(k);
  }
  return query;
}

std::uint8_t read_truth(const Row* rows) {
  const std::uint8_t truth = rows[0].read_truth();
  for (size_t i = 1; i < 8; ++i) {
    if (rows[i].read_truth() != truth)
      rows[i].fail("the answer changes within a query", "All eight rows of a query repeat its answer.");
  }
  return truth;
}

// The words of letters in a file name.
std::vector<std::string> split_words(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

}  // namespace

std::optional<PairKind> find_pair_kind(const std::string& path) {
  const auto has = [](const auto& words, const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  std::vector<std::string> folders;
  for (const fs::path& part : fs::path(path).parent_path()) folders.push_back(part.string());
  const std::vector<std::string> words = split_words(fs::path(path).stem().string());
  // The name is nearer than the folders.
  if (has(words, "ee") != has(words, "vf"))
    return has(words, "ee") ? PairKind::EdgeEdge : PairKind::PointTriangle;
  const bool is_ee = has(folders, "edge-edge"), is_vf = has(folders, "vertex-face");
  if (is_ee != is_vf) return is_ee ? PairKind::EdgeEdge : PairKind::PointTriangle;
  return {};
}

CcdQuerySet parse_ccd_queries(std::string_view text, const std::string& name, PairKind kind) {
  const std::vector<Row> rows = split_rows(text, name);
  require_shape(rows, name);
  CcdQuerySet set;
  set.name = name;
  const bool has_truth = rows.front().size() == 7;
  for (size_t i = 0; i < rows.size(); i += 8) {
    set.queries.push_back(read_query(&rows[i], kind));
    if (has_truth) set.truth.push_back(read_truth(&rows[i]));
  }
  return set;
}

CcdQuerySet read_ccd_queries(const std::string& path, std::optional<PairKind> kind,
                             const std::string& truth_path) {
  if (!kind) kind = find_pair_kind(path);
  const std::string text = read_file(path);
  if (!kind) {
    throw InputError({path, 0, 0, {}}, "unclear whether it is edge-edge or vertex-face",
                     "Neither the name (ee, vf) nor the folder (edge-edge, vertex-face) tells; give --kind.");
  }
  CcdQuerySet set = parse_ccd_queries(text, path, *kind);
  if (set.truth.empty() || !truth_path.empty()) add_ccd_truth(set, path, truth_path);
  return set;
}

}  // namespace marrow
