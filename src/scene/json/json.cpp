#include "scene/json/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "scene/json/syntax_advice.h"

namespace marrow {
namespace {

using nlohmann::json;

// Accepts everything and remembers where and why the parser gave up.
class SyntaxCheck : public nlohmann::json_sax<json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&, const json::exception& error) override {
    end_ = position;
    message_ = error.what();
    return false;
  }

  // Offset of the token that was not understood: from its end, where the parser stopped, back to its start.
  size_t offset(const std::string& text) const {
    if (text.empty()) return 0;
    if (message_.find("end of input") != std::string::npos) {
      return std::min(text.find_last_not_of(" \t\r\n") + 1, text.size());
    }
    size_t start = std::min(std::max<size_t>(end_, 1), text.size()) - 1;
    if (text[start] == '"') return start == 0 ? 0 : std::min(text.rfind('"', start - 1), start);
    const auto is_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '-' || c == '.';
    };
    while (start > 0 && is_word(text[start]) && is_word(text[start - 1])) --start;
    return start;
  }

  // The library's reason, without its preamble and in our words.
  std::string reason() const {
    const size_t dash = message_.find(" - ");
    std::string reason = message_.substr(dash != std::string::npos ? dash + 3 : message_.find("] ") + 2);
    reason = reason.substr(0, reason.find("; last read"));
    constexpr std::string_view kLiteral = "string literal";
    for (size_t at = reason.find(kLiteral); at != std::string::npos; at = reason.find(kLiteral)) {
      reason.replace(at, kLiteral.size(), "text in quotes");
    }
    return reason;
  }

 private:
  size_t end_ = 0;
  std::string message_;
};

// The line around an offset, without indentation and not too long.
std::string excerpt(const std::string& text, size_t offset) {
  constexpr size_t kMaxBefore = 40;
  constexpr size_t kMaxLength = 60;
  size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  if (offset - begin > kMaxBefore) begin = offset - kMaxBefore;
  begin = std::min(text.find_first_not_of(" \t", begin), offset);
  const size_t end = std::min({text.find_first_of("\r\n", offset), begin + kMaxLength, text.size()});
  return text.substr(begin, std::max(end, begin) - begin);
}

void check_syntax(const std::string& text, const std::string& file) {
  // The library takes a NUL byte for the end; what follows would go unseen.
  const size_t nul = text.find('\0');
  if (nul != std::string::npos) {
    const TextPosition position = compute_position(text, nul);
    throw InputError({file, position.line, position.column, {}}, "has a NUL byte, so it is not a text file",
                     "Check the name; a scene is JSON text.");
  }
  SyntaxCheck check;
  if (json::sax_parse(text, &check, json::input_format_t::json, true, true)) return;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw InputError({file, 0, 0, {}}, "the file is empty",
                     "A scene is one JSON object: { \"bodies\": [ … ] }.");
  }
  const size_t offset = check.offset(text);
  if (const auto advice = explain_syntax(text, offset)) {
    const TextPosition at = compute_position(text, advice->offset);
    throw InputError({file, at.line, at.column, {}}, "not valid JSON: " + advice->problem,
                     fmt::format("{}\n  Near: {}", advice->advice, excerpt(text, advice->offset)));
  }
  const TextPosition at = compute_position(text, offset);
  throw InputError({file, at.line, at.column, {}}, fmt::format("not valid JSON: {}", check.reason()),
                   fmt::format("Near: {}\n  Usual causes: a missing or extra comma, quote or bracket.",
                               excerpt(text, offset)));
}

[[noreturn]] void fail_assignment(const std::string& assignment, const std::string& problem,
                                  const std::string& advice) {
  throw InputError({"--set " + assignment, 0, 0, {}}, problem, advice);
}

JsonPath parse_assigned_path(const std::string& assignment, const std::string& text) {
  try {
    return parse_json_path(text);
  } catch (const std::invalid_argument& error) {
    fail_assignment(assignment, fmt::format("not a path: {}", error.what()),
                    "A path looks like bodies[0].material.density.");
  }
}

// The right side of an assignment: JSON, else text.
json parse_assigned_value(const std::string& assignment, const std::string& text) {
  json value = json::parse(text, nullptr, false);
  if (!value.is_discarded()) {
    const auto duplicate = find_duplicate_key(text);
    if (!duplicate) return value;
    fail_assignment(assignment, fmt::format("the key \"{}\" appears twice", duplicate->path.back().key), {});
  }
  value = text;
  try {
    static_cast<void>(value.dump());
  } catch (const json::exception&) {
    fail_assignment("…", "the value is not valid UTF-8 text", {});
  }
  return value;
}

// Refuses to step into what has no such members; walked is the path to value.
void check_step(const std::string& assignment, const json& value, const JsonStep& step,
                const JsonPath& walked) {
  const bool by_key = step.index < 0;
  const std::string name = walked.empty() ? "the scene" : to_string(walked);
  if (by_key ? !value.is_object() && !value.is_null() : !value.is_array()) {
    fail_assignment(assignment, fmt::format("{} is not {}", name, by_key ? "an object" : "a list"), {});
  }
  if (!by_key && step.index >= static_cast<int>(value.size())) {
    fail_assignment(assignment, fmt::format("there is no {}[{}]", name, step.index),
                    fmt::format("The list has {}, counted from 0.", value.size()));
  }
}

}  // namespace

JsonDocument::JsonDocument(std::string text, std::string file)
    : text_(std::move(text)), file_(std::move(file)) {
  check_syntax(text_, file_);
  if (const auto duplicate = find_duplicate_key(text_)) {
    const Location where{file_, duplicate->position.line, duplicate->position.column,
                         to_string(duplicate->path)};
    throw InputError(where, fmt::format("the key \"{}\" appears twice", duplicate->path.back().key),
                     fmt::format("Keep one of the two; the first is in line {}.", duplicate->first.line));
  }
  root_ = std::make_unique<json>(json::parse(text_, nullptr, true, true));
}

JsonDocument::~JsonDocument() = default;

void JsonDocument::set(const std::string& assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string::npos) {
    fail_assignment(assignment, "has no =", "Write path=value, for example time.step=0.02.");
  }
  JsonPath path = parse_assigned_path(assignment, assignment.substr(0, equals));
  json value = parse_assigned_value(assignment, assignment.substr(equals + 1));

  // Walk down, remembering the outermost value that was not there.
  json* place = root_.get();
  size_t made = path.size();
  for (size_t i = 0; i < path.size(); ++i) {
    const JsonStep& step = path[i];
    check_step(assignment, *place, step, {path.begin(), path.begin() + static_cast<std::ptrdiff_t>(i)});
    if (step.index < 0 && !place->contains(step.key)) made = std::min(made, i + 1);
    place = step.index < 0 ? &(*place)[step.key] : &(*place)[static_cast<size_t>(step.index)];
  }
  *place = std::move(value);
  path.resize(made);
  assignments_.push_back({std::move(path), assignment});
}

JsonNode JsonDocument::root() const { return {*this, *root_, {}}; }

bool JsonDocument::has(const JsonPath& path) const {
  const json* place = root_.get();
  for (const JsonStep& step : path) {
    const bool is_there = step.index < 0
                              ? place->is_object() && place->contains(step.key)
                              : place->is_array() && static_cast<size_t>(step.index) < place->size();
    if (!is_there) return false;
    place = step.index < 0 ? &(*place)[step.key] : &(*place)[static_cast<size_t>(step.index)];
  }
  return true;
}

Location JsonDocument::locate(const JsonPath& path, JsonPart part) const {
  for (auto assigned = assignments_.rbegin(); assigned != assignments_.rend(); ++assigned) {
    if (is_inside(path, assigned->place)) return {"--set " + assigned->text, 0, 0, to_string(path)};
  }
  const TextPosition at = marrow::locate(text_, path, part);
  return {file_, at.line, at.column, to_string(path)};
}

JsonNode::Kind JsonNode::kind() const {
  if (value_->is_object()) return Kind::Object;
  if (value_->is_array()) return Kind::List;
  if (value_->is_string()) return Kind::Text;
  if (value_->is_number()) return Kind::Number;
  return value_->is_boolean() ? Kind::Boolean : Kind::Null;
}

bool JsonNode::boolean() const { return value_->get<bool>(); }
double JsonNode::number() const { return value_->get<double>(); }
std::string JsonNode::text() const { return value_->get<std::string>(); }
int JsonNode::size() const { return static_cast<int>(value_->size()); }

JsonNode JsonNode::element(int index) const {
  return inner((*value_)[static_cast<size_t>(index)], JsonStep::into(index));
}

std::vector<std::string> JsonNode::keys() const {
  std::vector<std::string> keys;
  for (const auto& item : value_->items()) keys.push_back(item.key());
  return keys;
}

std::optional<JsonNode> JsonNode::member(const std::string& key) const {
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return inner(*found, JsonStep::into(key));
}

std::string JsonNode::found() const {
  constexpr size_t kMaxText = 40;
  switch (kind()) {
    case Kind::Null:
      return "null";
    case Kind::Boolean:
      return value_->dump();
    case Kind::Number:
      return "the number " + value_->dump();
    case Kind::Text: {
      const std::string text = value_->dump();
      return text.size() <= kMaxText ? "the text " + text : "a long text";
    }
    case Kind::List:
      return value_->empty() ? "an empty list" : fmt::format("a list of {}", value_->size());
    case Kind::Object:
      return "an object";
  }
  return {};
}

void JsonNode::fail(const std::string& problem, const std::string& advice) const {
  throw InputError(document_->locate(path_), problem, advice);
}

void JsonNode::fail_at_key(const std::string& key, const std::string& problem,
                           const std::string& advice) const {
  throw InputError(document_->locate(path_to(JsonStep::into(key)), JsonPart::Key), problem, advice);
}

JsonNode JsonNode::with(const Variables& variables) const {
  JsonNode node = *this;
  node.variables_ = &variables;
  return node;
}

JsonNode JsonNode::inner(const json& value, JsonStep step) const {
  JsonNode node(*document_, value, path_to(std::move(step)));
  node.variables_ = variables_;
  return node;
}

JsonPath JsonNode::path_to(JsonStep step) const {
  JsonPath path = path_;
  path.push_back(std::move(step));
  return path;
}

}  // namespace marrow
