#include "scene/json/syntax_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "scene/json/json_text.h"

namespace marrow {
namespace {

bool is_word_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}
bool is_word_part(char c) { return is_word_start(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

// What stands before an offset: the token before it, and the brackets that are open there.
struct Before {
  size_t token = std::string_view::npos;  // where it begins
  size_t end = 0;                         // behind it
  char last = '\0';                       // its last character
  std::vector<size_t> open;               // offsets of brackets
  bool in_quotes = false;                 // the text ends inside of quotes that begin at token

  char bracket(std::string_view text) const { return open.empty() ? '\0' : text[open.back()]; }
};

Before look_before(std::string_view text, size_t offset) {
  Before before;
  for (size_t i = 0; i < offset;) {
    const char c = text[i];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++i;
      continue;
    }
    if (c == '/' && i + 1 < text.size() && (text[i + 1] == '/' || text[i + 1] == '*')) {
      const bool is_line = text[i + 1] == '/';
      const size_t end = text.find(is_line ? "\n" : "*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + (is_line ? 1 : 2);
      continue;
    }
    before.token = i;
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i) {
        if (text[i] == '\\') ++i;
      }
      before.in_quotes = i >= text.size() || text[i] == '\n';
      ++i;
    } else {
      if (c == '{' || c == '[') before.open.push_back(i);
      if ((c == '}' || c == ']') && !before.open.empty()) before.open.pop_back();
      const bool is_single = std::string_view("{}[]:,").find(c) != std::string_view::npos;
      for (++i; !is_single && i < text.size() &&
                std::string_view(" \t\r\n{}[]:,\"/").find(text[i]) == std::string_view::npos;) {
        ++i;
      }
    }
    before.end = std::min(i, text.size());
    before.last = text[before.end - 1];
  }
  return before;
}

// Whether a value or key has just ended.
bool ends_value(char c) { return c != '\0' && std::string_view("{[,:").find(c) == std::string_view::npos; }

int line_of(std::string_view text, size_t offset) { return compute_position(text, offset).line; }

std::optional<SyntaxAdvice> explain_early_end(std::string_view text, const Before& before) {
  if (before.open.empty()) return {};
  const char open = before.bracket(text);
  return SyntaxAdvice{before.end,
                      fmt::format("the file ends before the {} of line {} is closed", open,
                                  line_of(text, before.open.back())),
                      fmt::format("Add the missing {}.", open == '{' ? '}' : ']')};
}

std::optional<SyntaxAdvice> explain_word(std::string_view text, size_t offset, const Before& before) {
  size_t end = offset;
  while (end < text.size() && is_word_part(text[end])) ++end;
  const std::string word(text.substr(offset, end - offset));
  const size_t next = text.find_first_not_of(" \t\r\n", end);
  if (next != std::string_view::npos && (text[next] == ':' || text[next] == '=') &&
      before.bracket(text) == '{' && !ends_value(before.last)) {
    return SyntaxAdvice{offset, fmt::format("the key {} is not in quotes", word),
                        fmt::format("Write \"{}\".", word)};
  }
  constexpr std::array<std::array<const char*, 2>, 7> kWords = {{{"True", "true"},
                                                                 {"TRUE", "true"},
                                                                 {"yes", "true"},
                                                                 {"False", "false"},
                                                                 {"FALSE", "false"},
                                                                 {"no", "false"},
                                                                 {"None", "null"}}};
  for (const auto& [theirs, ours] : kWords) {
    if (word == theirs)
      return SyntaxAdvice{offset, fmt::format("{} is not a value", word), fmt::format("Write {}.", ours)};
  }
  std::string lower = word;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower == "nan" || lower.starts_with("inf")) {
    return SyntaxAdvice{offset, fmt::format("{} is not a number that JSON knows", word),
                        "Give a finite number, or leave out the key."};
  }
  if (before.last == ':' || before.last == '[' || before.last == ',') {
    return SyntaxAdvice{offset, fmt::format("the text {} is not in quotes", word),
                        fmt::format("Write \"{}\"; an expression stands in quotes, too.", word)};
  }
  return {};
}

}  // namespace

std::optional<SyntaxAdvice> explain_syntax(std::string_view text, size_t offset) {
  const Before before = look_before(text, std::min(offset, text.size()));
  if (text.find_first_not_of(" \t\r\n", offset) == std::string_view::npos)
    return explain_early_end(text, before);
  const char c = text[offset];
  if ((c == '}' || c == ']') && before.last == ',') {
    return SyntaxAdvice{before.token, fmt::format("a comma before the closing {}", c), "Remove the comma."};
  }
  if (c == ',' && before.last == ',') return SyntaxAdvice{offset, "two commas in a row", "Remove one."};
  if (c == '\'' || text.substr(offset, 3) == "\xE2\x80\x9C" || text.substr(offset, 3) == "\xE2\x80\x9D") {
    return SyntaxAdvice{offset, "text in other quotes than JSON has",
                        "Use straight double quotes: \"name\"."};
  }
  if (c == '#') return SyntaxAdvice{offset, "a comment begins with // in a scene", "Write // in place of #."};
  if (c == '=' && before.last == '"') {
    return SyntaxAdvice{offset, "= where a colon belongs", "Write \"key\": value."};
  }
  const bool begins_value = c == '"' || c == '{' || c == '[' || c == '-' || is_word_part(c);
  if (begins_value && ends_value(before.last) && !before.open.empty() && !before.in_quotes) {
    return SyntaxAdvice{before.end, "a comma is missing",
                        fmt::format("Put one at the end of line {}.", line_of(text, before.end))};
  }
  return is_word_start(c) ? explain_word(text, offset, before) : std::nullopt;
}

}  // namespace marrow
