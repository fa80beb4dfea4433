#include "scene/json/json_text.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace marrow {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Behind the comment that begins at i.
size_t skip_comment(std::string_view text, size_t i) {
  const bool is_line = text.substr(i, 2) == "//";
  const size_t end = text.find(is_line ? "\n" : "*/", i + 2);
  return end == std::string_view::npos ? text.size() : end + (is_line ? 1 : 2);
}

// Behind the quoted text that begins at i.
size_t skip_quoted(std::string_view text, size_t i) {
  for (++i; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] == '\\') ++i;
  }
  return std::min(i + 1, text.size());
}

std::string decode_key(std::string_view quoted) {
  if (quoted.find('\\') == std::string_view::npos) return std::string(quoted.substr(1, quoted.size() - 2));
  return nlohmann::json::parse(quoted).get<std::string>();
}

// Walks the text token by token; the path grows and shrinks with the brackets, so that depth costs no stack.
class JsonScanner {
 public:
  JsonScanner(std::string_view text, const std::function<bool(const JsonEntry&)>& visit)
      : text_(text), visit_(visit) {}

  void run() {
    size_t i = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    while (i < text_.size() && !stopped_) i = take_token(i);
  }

 private:
  // Handles the token at i and returns the offset behind it.
  size_t take_token(size_t i) {
    switch (text_[i]) {
      case ' ':
      case '\t':
      case '\r':
      case '\n':
        return i + 1;
      case '/':
        return skip_comment(text_, i);
      case '{':
      case '[':
        visit_value(i);
        path_.push_back(text_[i] == '{' ? JsonStep::into(std::string()) : JsonStep::into(0));
        wants_key_ = text_[i] == '{';
        return i + 1;
      case '}':
      case ']':
        if (!path_.empty()) path_.pop_back();
        wants_key_ = false;
        return i + 1;
      case ',':
        wants_key_ = !path_.empty() && path_.back().index < 0;
        if (!path_.empty() && !wants_key_) ++path_.back().index;
        return i + 1;
      case ':':
        wants_key_ = false;
        return i + 1;
      case '"':
        return take_quoted(i);
      default:
        visit_value(i);
        return std::min(text_.find_first_of(" \t\r\n,]}/", i), text_.size());
    }
  }

  size_t take_quoted(size_t i) {
    const size_t end = skip_quoted(text_, i);
    if (wants_key_) {
      path_.back().key = decode_key(text_.substr(i, end - i));
      key_ = i;
    } else {
      visit_value(i);
    }
    return end;
  }

  void visit_value(size_t value) {
    const bool has_key = !path_.empty() && path_.back().index < 0;
    if (!visit_({path_, has_key ? key_ : value, value})) stopped_ = true;
  }

  std::string_view text_;
  const std::function<bool(const JsonEntry&)>& visit_;
  JsonPath path_;
  size_t key_ = 0;
  bool wants_key_ = false;
  bool stopped_ = false;
};

}  // namespace

void scan_json(std::string_view text, const std::function<bool(const JsonEntry&)>& visit) {
  JsonScanner(text, visit).run();
}

TextPosition compute_position(std::string_view text, size_t offset) {
  TextPosition position;
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
    offset -= std::min(offset, kByteOrderMark.size());
  }
  for (const char c : text.substr(0, offset)) {
    const bool is_continuation = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (c == '\n') {
      ++position.line;
      position.column = 1;
    } else if (!is_continuation) {
      ++position.column;
    }
  }
  return position;
}

TextPosition locate(std::string_view text, const JsonPath& path, JsonPart part) {
  size_t best = 0;
  bool found = false;
  scan_json(text, [&](const JsonEntry& entry) {
    if (!is_inside(path, entry.path)) return true;
    found = entry.path.size() == path.size();
    best = found && part == JsonPart::Key ? entry.key : entry.value;
    return !found;
  });
  return compute_position(text, best);
}

std::optional<DuplicateKey> find_duplicate_key(std::string_view text) {
  std::optional<DuplicateKey> duplicate;
  std::vector<std::map<std::string, size_t>> seen;  // by depth: keys of the object that is open there
  scan_json(text, [&](const JsonEntry& entry) {
    const size_t depth = entry.path.size();
    if (depth > 0 && entry.path.back().index < 0) {
      const auto [first, is_new] = seen[depth].emplace(entry.path.back().key, entry.key);
      if (!is_new) {
        duplicate = {entry.path, compute_position(text, entry.key), compute_position(text, first->second)};
        return false;
      }
    }
    seen.resize(std::max(seen.size(), depth + 2));
    seen[depth + 1].clear();
    return true;
  });
  return duplicate;
}

}  // namespace marrow
