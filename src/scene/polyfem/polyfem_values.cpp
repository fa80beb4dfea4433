#include "scene/polyfem/polyfem_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/polyfem/polyfem_expression.h"

namespace marrow {
namespace {

using Kind = JsonNode::Kind;

[[noreturn]] void refuse(const JsonNode& node, const char* wanted) {
  node.fail(fmt::format("found {}, wanted {}", node.found(), wanted), "");
}

}  // namespace

void refuse_polyfem_plane(const JsonNode& node) {
  node.fail("has two coordinates: the scene is two-dimensional",
            "Only scenes in three dimensions can be read.");
}

double read_polyfem_number(const JsonNode& node, const char* wanted) {
  double value = 0;
  if (node.kind() == Kind::Number) {
    value = node.number();
  } else if (node.kind() == Kind::Text) {
    const PlaceExpression formula = read_polyfem_formula(node, wanted);
    if (formula.depends_on_time() || formula.depends_on_place())
      node.fail(fmt::format("\"{}\" depends on time or place, but one number is wanted", node.text()), "");
    value = formula.evaluate(0, Vec3::Zero());
  } else {
    refuse(node, wanted);
  }
  if (!std::isfinite(value)) node.fail("is not a finite number", "");
  return value;
}

bool read_polyfem_flag(const JsonNode& node, const char* wanted) {
  if (node.kind() != Kind::Boolean) refuse(node, wanted);
  return node.boolean();
}

int read_polyfem_integer(const JsonNode& node, const char* wanted) {
  if (node.kind() != Kind::Number || node.number() != std::floor(node.number()) ||
      std::abs(node.number()) > std::numeric_limits<int>::max())
    refuse(node, wanted);
  return static_cast<int>(node.number());
}

std::string read_polyfem_text(const JsonNode& node, const char* wanted) {
  if (node.kind() != Kind::Text) refuse(node, wanted);
  return node.text();
}

Vec3 read_polyfem_vector(const JsonNode& node, const char* wanted) {
  if (node.kind() != Kind::List) refuse(node, wanted);
  if (node.size() == 2) refuse_polyfem_plane(node);
  if (node.size() != 3) refuse(node, wanted);
  Vec3 value;
  for (int k = 0; k < 3; ++k) value[k] = read_polyfem_number(node.element(k), wanted);
  return value;
}

PlaceExpression read_polyfem_formula(const JsonNode& node, const char* wanted) {
  if (node.kind() == Kind::Number) return PlaceExpression(node.number());
  if (node.kind() != Kind::Text) refuse(node, wanted);
  try {
    return PlaceExpression(translate_polyfem_formula(node.text()));
  } catch (const ExpressionError& error) {
    node.fail(fmt::format("column {} of the formula \"{}\": {}", error.column, node.text(), error.what()),
              fmt::format("Wanted: {}.", wanted));
  }
}

VectorPlaceExpression read_polyfem_formulas(const JsonNode& node, const char* wanted) {
  if (node.kind() != Kind::List) refuse(node, wanted);
  if (node.size() == 2) refuse_polyfem_plane(node);
  if (node.size() != 3) refuse(node, wanted);
  return {read_polyfem_formula(node.element(0), wanted), read_polyfem_formula(node.element(1), wanted),
          read_polyfem_formula(node.element(2), wanted)};
}

bool is_constant_everywhere(const VectorPlaceExpression& formula) {
  const auto changes = [](const PlaceExpression& f) { return f.depends_on_time() || f.depends_on_place(); };
  return !changes(formula.x) && !changes(formula.y) && !changes(formula.z);
}

std::optional<JsonNode> polyfem_member(const JsonNode& object, const std::string& key) {
  auto member = object.member(key);
  if (member && member->kind() == Kind::Null) member.reset();
  return member;
}

std::vector<JsonNode> list_polyfem_elements(const JsonNode& node) {
  if (node.kind() != Kind::List) return {node};
  std::vector<JsonNode> elements;
  for (int i = 0; i < node.size(); ++i) elements.push_back(node.element(i));
  return elements;
}

void check_polyfem_keys(const JsonNode& object, const std::vector<std::string>& known) {
  if (object.kind() != Kind::Object) refuse(object, "an object { … }");
  for (const std::string& key : object.keys()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string nearest = nearest_name(key, known);
    object.fail_at_key(key, fmt::format("the key \"{}\" is not known here", key),
                       nearest.empty() ? fmt::format("Known are: {}.", fmt::join(known, ", "))
                                       : fmt::format("Did you mean \"{}\"?", nearest));
  }
}

}  // namespace marrow
