// Errors about input: what is wrong, where, and what to do about it.
//
// Only readers of files, scene/ and preprocess/ throw InputError. A solve never throws: its outcomes are
// values.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace marrow {

// Where a mistake is. Parts that do not apply stay empty or zero.
struct Location {
  std::string file;
  int line = 0;           // 1-based; 0 if unknown
  int column = 0;         // 1-based; 0 if unknown
  std::string json_path;  // for example bodies[2].material.density
};

// "file:line:column, at bodies[2].material.density", leaving out what is unknown.
std::string to_string(const Location& location);

class InputError : public std::runtime_error {
 public:
  // problem: what is wrong, without a full stop. advice: what to do, one sentence; may be empty.
  InputError(Location where, std::string problem, std::string advice = {});

  const Location& where() const { return where_; }
  const std::string& problem() const { return problem_; }
  const std::string& advice() const { return advice_; }

 private:
  Location where_;
  std::string problem_;
  std::string advice_;
};

// A file that cannot be written: full disk, missing rights, vanished folder.
class OutputError : public std::runtime_error {
 public:
  // reason: what the system says.
  OutputError(const std::string& path, const std::string& reason);

  // Whether the reason is a lack of space.
  bool is_full() const { return is_full_; }

 private:
  bool is_full_;
};

// The candidate with the smallest edit distance to word; empty if none is close.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

// "3, 17, 20 and 5 more": the first few of a list of element ids.
std::string list_some(const std::vector<int>& ids, int shown = 8);

}  // namespace marrow
