// Walks through a text file word by word and number by number, without copying it.
//
// Errors carry line and column, which are counted only when one occurs. Numbers are read to the nearest
// double. A carriage return counts as a blank, so that files from Windows need no care.
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace marrow {

class TextScanner {
 public:
  static constexpr char kNoComment = '\n';

  // comment: the character that hides the rest of its line. The text must outlive the scanner.
  TextScanner(std::string_view text, std::string name, char comment = kNoComment);

  size_t position() const { return static_cast<size_t>(next_ - text_.data()); }
  void move_to(size_t position) { next_ = text_.data() + position; }
  size_t remaining() const { return static_cast<size_t>(end_ - next_); }
  std::string_view rest() const { return {next_, remaining()}; }
  const std::string& name() const { return name_; }

  // From now on errors name the byte instead of the line: the file has binary parts.
  void report_bytes() { reports_bytes_ = true; }

  void skip_blanks() {
    while (next_ != end_ && (*next_ == ' ' || *next_ == '\t' || *next_ == '\r')) ++next_;
  }

  // Skips blanks; whether nothing but a comment is left on the line.
  bool at_line_end() {
    skip_blanks();
    return next_ == end_ || *next_ == '\n' || *next_ == comment_;
  }

  // Skips the rest of the line and its end.
  void skip_line();

  // Skips blanks, line ends and comments; whether the text is at its end.
  bool at_end() {
    for (;;) {
      while (next_ != end_ && is_space(*next_)) ++next_;
      if (next_ == end_) return true;
      if (*next_ != comment_) return false;
      skip_line();
    }
  }

  // The next word of this line; empty at its end.
  std::string_view word_on_line() {
    if (at_line_end()) return {};
    return word_here();
  }

  // The next word on this or a later line; empty at the end of the text.
  std::string_view next_word() {
    if (at_end()) return {};
    return word_here();
  }

  // The rest of the line without blanks at its ends; moves to the next line.
  std::string_view take_line();

  // A number on this or a later line; what names it in errors.
  template <class T>
  T read(const char* what) {
    at_end();
    return number_here<T>(what);
  }

  // A number before the end of this line.
  template <class T>
  T read_on_line(const char* what) {
    at_line_end();
    return number_here<T>(what);
  }

  // Skips one value of any kind.
  template <class T>
  void skip(const char* what) {
    if (next_word().empty()) fail_value(position(), what);
  }

  // Throws unless so many items of at least so many values each can be in the rest of the file.
  void require_room(std::int64_t count, size_t values_each, size_t bytes_each, const char* what) const;

  // Throws an InputError at a byte of the text, or at the start of the last word or number read.
  [[noreturn]] void fail_at(size_t position, const std::string& problem,
                            const std::string& advice = {}) const;
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const {
    fail_at(last_, problem, advice);
  }

 private:
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  std::string_view word_here() {
    const char* start = next_;
    last_ = position();
    while (next_ != end_ && !is_space(*next_)) ++next_;
    return {start, static_cast<size_t>(next_ - start)};
  }

  template <class T>
  T number_here(const char* what) {
    last_ = position();
    const char* start = next_;
    if (start != end_ && *start == '+') ++start;
    T value{};
    const auto [end, error] = std::from_chars(start, end_, value);
    if (error == std::errc::result_out_of_range) value = convert_out_of_range<T>(what);
    if (error == std::errc::invalid_argument || (end != end_ && !is_space(*end) && *end != comment_)) {
      fail_value(last_, what);
    }
    next_ = end;
    return value;
  }

  // A number beyond the range of T: an error, except that a tiny one is 0.
  template <class T>
  T convert_out_of_range(const char* what) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (is_tiny()) return 0;
    }
    fail_out_of_range(what);
  }

  bool is_tiny() const;
  [[noreturn]] void fail_out_of_range(const char* what) const;

  // "a coordinate is missing: the file ends here", "'abc' is not a number".
  [[noreturn]] void fail_value(size_t position, const char* what) const;

  std::string_view text_;
  std::string name_;
  const char* next_;
  const char* end_;
  size_t last_ = 0;
  char comment_;
  bool reports_bytes_ = false;
};

}  // namespace marrow
