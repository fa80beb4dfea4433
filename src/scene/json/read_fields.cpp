#include "scene/json/read_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "scene/json/synonyms.h"

namespace marrow {
namespace {

using Kind = JsonNode::Kind;

std::string format_unit(const Field& field) {
  return *field.unit == '\0' ? std::string() : fmt::format(" [{}]", field.unit);
}

void check_range(const JsonNode& node, const NamedField& named, double value) {
  const std::string reason = explain_range(named.field, value);
  if (!reason.empty()) node.fail(fmt::format("{}, found {}", reason, value), explain(named));
}

void check_three(const JsonNode& node, const NamedField& named, const char* wanted) {
  check_kind(node, named, Kind::List, wanted);
  if (node.size() != 3) node.fail(fmt::format("found {}, wanted {}", node.found(), wanted), explain(named));
}

// A number, or what an expression in its place gives; found: how to call it in messages.
struct ReadNumber {
  double value;
  std::string found;
};

ReadNumber read_number(const JsonNode& node, const NamedField& field, const char* wanted) {
  if (node.kind() != Kind::Text) {
    check_kind(node, field, Kind::Number, wanted);
    return {node.number(), node.found()};
  }
  const double value = compute_number(node, field);
  return {value, fmt::format("{} from {}", format_number(value), node.found())};
}

double read_constant(const JsonNode& node, const NamedField& field) {
  check_kind(node, field, Kind::Number, "a number, or a formula in quotes");
  double number = 0;
  read_plain(node, field, number);
  return number;
}

template <class Formulas>
void read_three_formulas(const JsonNode& node, const NamedField& field, Formulas& value) {
  check_three(node, field, "a list of 3 numbers or formulas [x, y, z]");
  read_plain(node.element(0), field, value.x);
  read_plain(node.element(1), field, value.y);
  read_plain(node.element(2), field, value.z);
}

}  // namespace

std::string explain(const NamedField& named) {
  return fmt::format("{}{}: {}", named.name, format_unit(named.field), named.field.doc);
}

void check_kind(const JsonNode& node, const NamedField& named, Kind kind, const char* wanted) {
  if (node.kind() != kind)
    node.fail(fmt::format("found {}, wanted {}", node.found(), wanted), explain(named));
}

void read_plain(const JsonNode& node, const NamedField& field, bool& value) {
  check_kind(node, field, Kind::Boolean, "true or false");
  value = node.boolean();
}

void read_plain(const JsonNode& node, const NamedField& field, int& value) {
  const auto [number, found] = read_number(node, field, "a whole number");
  if (number != std::floor(number)) {
    node.fail(fmt::format("found {}, wanted a whole number", found), explain(field));
  }
  check_range(node, field, number);
  if (std::abs(number) > std::numeric_limits<int>::max()) {
    node.fail(fmt::format("{} is too large for a whole number", number), explain(field));
  }
  value = static_cast<int>(number);
}

void read_plain(const JsonNode& node, const NamedField& field, double& value) {
  value = read_number(node, field, "a number").value;
  check_range(node, field, value);
}

void read_plain(const JsonNode& node, const NamedField& field, std::string& value) {
  check_kind(node, field, Kind::Text, "text in quotes");
  value = substitute_text(node, field);
}

void read_plain(const JsonNode& node, const NamedField& field, Vec3& value) {
  check_three(node, field, "a list of 3 numbers [x, y, z]");
  for (int axis = 0; axis < 3; ++axis) read_plain(node.element(axis), field, value[axis]);
}

void read_plain(const JsonNode& node, const NamedField& field, Expression& value) {
  value = node.kind() == Kind::Text ? read_formula(node, field) : Expression(read_constant(node, field));
}

void read_plain(const JsonNode& node, const NamedField& field, PlaceExpression& value) {
  value = node.kind() == Kind::Text ? read_place_formula(node, field)
                                    : PlaceExpression(read_constant(node, field));
}

void read_plain(const JsonNode& node, const NamedField& field, VectorExpression& value) {
  read_three_formulas(node, field, value);
}

void read_plain(const JsonNode& node, const NamedField& field, VectorPlaceExpression& value) {
  read_three_formulas(node, field, value);
}

void read_plain(const JsonNode& node, const NamedField& field, Variables& value) {
  if (node.variables() == nullptr) {
    value = read_variables(node, field, {});
    return;
  }
  // Values for another file, as expressions of this one's variables.
  check_object(node, "an object { \"name\": number, … }");
  for (const std::string& name : node.keys()) {
    const JsonNode member = *node.member(name);
    value[name] =
        member.kind() == Kind::Number ? member.number() : read_number(member, field, "a number").value;
  }
}

void read_plain(const JsonNode& node, const NamedField& field, NameOrNumber& value) {
  if (node.kind() == Kind::Number) {
    value.number = node.number();
    return;
  }
  check_kind(node, field, Kind::Text, "a name, or a number");
  value.name = substitute_text(node, field);
  if (value.name == node.text()) return;
  // "{2 * r}" is a number.
  const char* end = value.name.data() + value.name.size();
  const auto [stop, error] = std::from_chars(value.name.data(), end, value.number);
  if (error == std::errc() && stop == end) value.name.clear();
}

int read_choice(const JsonNode& node, const NamedField& field, const std::vector<std::string>& names) {
  const std::string wanted = fmt::format("{}{}", names.size() > 1 ? "one of " : "", fmt::join(names, ", "));
  check_kind(node, field, Kind::Text, wanted.c_str());
  const std::string text = node.text();
  const auto match = std::find(names.begin(), names.end(), text);
  if (match != names.end()) return static_cast<int>(match - names.begin());
  const std::string nearest = suggest_name(text, names);
  const std::string meaning = *field.field.doc == '\0' ? std::string() : explain(field);
  node.fail(fmt::format("found {}, wanted {}", node.found(), wanted),
            nearest.empty() ? meaning : fmt::format("Did you mean \"{}\"?", nearest));
}

std::string read_mesh_choice(const JsonNode& node, const NamedField& field) {
  check_keys(node, {"mesh"});
  const auto mesh = node.member("mesh");
  if (!mesh) node.fail("the key \"mesh\" is missing", explain(field));
  std::string file;
  read_plain(*mesh, field, file);
  if (file.empty()) mesh->fail("the file name is empty", "Name a mesh file.");
  return file;
}

int read_type(const JsonNode& object, const std::vector<std::string>& names) {
  constexpr Field kTypeField = {.required = true};  // the names say all
  const auto type = object.member("type");
  if (type) return read_choice(*type, {"type", kTypeField}, names);
  object.fail("the key \"type\" is missing", fmt::format("Give one of {}.", fmt::join(names, ", ")));
}

void check_list(const JsonNode& node, const NamedField& field) {
  check_kind(node, field, Kind::List, "a list [ … ]");
}

void check_object(const JsonNode& node, const char* wanted) {
  if (node.kind() == Kind::Object) return;
  node.fail(fmt::format("found {}, wanted {}", node.found(), wanted),
            "An object is written { \"key\": value, … }.");
}

void check_keys(const JsonNode& object, const std::vector<std::string>& names) {
  for (const std::string& key : object.keys()) {
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    const std::string nearest = suggest_name(key, names);
    const std::string question = nearest.empty() ? "" : fmt::format("Did you mean \"{}\"? ", nearest);
    object.fail_at_key(key, fmt::format("unknown key \"{}\"", key),
                       fmt::format("{}Valid keys here: {}.", question, fmt::join(names, ", ")));
  }
}

void fail_missing(const JsonNode& object, const NamedField& field) {
  object.fail(fmt::format("the key \"{}\" is missing", field.name), explain(field));
}

}  // namespace marrow
