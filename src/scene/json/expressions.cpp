#include "scene/json/expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

namespace marrow {
namespace {

const Variables& variables_of(const JsonNode& node) {
  static const Variables kNone;
  return node.variables() == nullptr ? kNone : *node.variables();
}

double evaluate_constant(const JsonNode& node, const NamedField& field, const std::string& text,
                         const Variables& variables, int first_column) {
  try {
    const Expression expression(text, variables);
    if (expression.depends_on_time()) {
      node.fail(fmt::format("\"{}\" depends on the time t, but one number is wanted", node.text()),
                explain(field));
    }
    const double value = expression.evaluate(0);
    if (!std::isfinite(value)) {
      node.fail(fmt::format("\"{}\" is infinite or not a number", node.text()),
                "Look for a division by zero, or a root or logarithm of a negative number.");
    }
    return value;
  } catch (const ExpressionError& error) {
    node.fail(fmt::format("found the text \"{}\", wanted a number or an expression; column {}: {}",
                          node.text(), first_column + error.column - 1, error.what()),
              explain(field));
  }
}

bool is_variable_name(const std::string& name) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), is_letter);
}

void check_variable_name(const JsonNode& object, const std::string& name) {
  static const std::set<std::string> kOfCopies = {"i", "j", "k", "index", "count"};
  if (!is_variable_name(name)) {
    object.fail_at_key(name, fmt::format("\"{}\" is not a name that expressions could use", name),
                       "Use letters, digits and _, and begin with a letter.");
  }
  if (is_formula_name(name)) {
    object.fail_at_key(name, fmt::format("\"{}\" already has a meaning in expressions", name),
                       "Choose another name; t, pi, e and the functions are taken.");
  }
  if (kOfCopies.count(name) != 0) {
    object.fail_at_key(name,
                       fmt::format("\"{}\" is a number of copies, which expressions of copies use", name),
                       "Choose another name; i, j, k, index and count are taken.");
  }
}

// The names in a text that may be variables.
std::set<std::string> find_words(const std::string& text) {
  std::set<std::string> words;
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end > i) words.insert(text.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

// Evaluates each variable after those that it names.
class VariableReader {
 public:
  VariableReader(const JsonNode& object, const NamedField& field, Variables given)
      : object_(object), field_(field), values_(std::move(given)) {}

  Variables read() {
    for (const std::string& name : object_.keys()) {
      check_variable_name(object_, name);
      read(name);
    }
    return std::move(values_);
  }

 private:
  void read(const std::string& name) {
    if (values_.count(name) != 0) return;
    const JsonNode node = *object_.member(name);
    if (node.kind() == JsonNode::Kind::Number) {
      values_[name] = node.number();
      return;
    }
    check_kind(node, field_, JsonNode::Kind::Text, "a number, or an expression in quotes");
    if (!open_.insert(name).second) {
      node.fail(fmt::format("the variable \"{}\" depends on itself", name), "Give one of them a number.");
    }
    for (const std::string& word : find_words(node.text())) {
      if (object_.member(word)) read(word);
    }
    open_.erase(name);
    values_[name] = evaluate_constant(node, field_, node.text(), values_, 1);
  }

  const JsonNode& object_;
  const NamedField& field_;
  Variables values_;
  std::set<std::string> open_;  // being evaluated
};

template <class Formula>
Formula parse_formula(const JsonNode& node, const NamedField& field) {
  try {
    return Formula(node.text(), variables_of(node));
  } catch (const ExpressionError& error) {
    node.fail(fmt::format("column {} of the formula \"{}\": {}", error.column, node.text(), error.what()),
              explain(field));
  }
}

}  // namespace

Expression read_formula(const JsonNode& node, const NamedField& field) {
  return parse_formula<Expression>(node, field);
}

PlaceExpression read_place_formula(const JsonNode& node, const NamedField& field) {
  return parse_formula<PlaceExpression>(node, field);
}

double compute_number(const JsonNode& node, const NamedField& field) {
  return evaluate_constant(node, field, node.text(), variables_of(node), 1);
}

std::string substitute_text(const JsonNode& node, const NamedField& field) {
  const std::string text = node.text();
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') {
      result += text[i];
      continue;
    }
    if (text.substr(i, 2) == "{{") {
      result += text[i++];
      continue;
    }
    const size_t close = text.find('}', i);
    if (close == std::string::npos) {
      node.fail(fmt::format("\"{}\" has a {{ without a }}", text),
                "Text in braces is replaced by its value; for a plain { write {{.");
    }
    const std::string inside = text.substr(i + 1, close - i - 1);
    result += format_number(
        evaluate_constant(node, field, inside, variables_of(node), static_cast<int>(i) + 2) + 0.0);
    i = close;
  }
  return result;
}

std::string quote_braces(const std::string& text) {
  std::string quoted;
  for (const char c : text) quoted += c == '{' ? std::string("{{") : std::string(1, c);
  return quoted;
}

Variables read_variables(const JsonNode& object, const NamedField& field, const Variables& given) {
  check_kind(object, field, JsonNode::Kind::Object, "an object { \"name\": number, … }");
  return VariableReader(object, field, given).read();
}

}  // namespace marrow
