// Fills an options struct from JSON by its field list. Every mistake is an InputError that says where it is,
// what was found, what is wanted and what the field means.
#pragma once

#include <string>
#include <vector>

#include "core/options.h"
#include "core/types.h"
#include "math/expression.h"
#include "scene/json/expressions.h"
#include "scene/json/field_types.h"
#include "scene/json/json.h"
#include "scene/json/named_field.h"

namespace marrow {

// Plain values; ranges are checked. Where a number is wanted, text is an expression of the node's variables
// (expressions.h); in text, {…} is replaced by the value of the expression inside.
void read_plain(const JsonNode& node, const NamedField& field, bool& value);
void read_plain(const JsonNode& node, const NamedField& field, int& value);
void read_plain(const JsonNode& node, const NamedField& field, double& value);
void read_plain(const JsonNode& node, const NamedField& field, std::string& value);
void read_plain(const JsonNode& node, const NamedField& field, Vec3& value);
// A number, or a formula in quotes.
void read_plain(const JsonNode& node, const NamedField& field, Expression& value);
void read_plain(const JsonNode& node, const NamedField& field, VectorExpression& value);
// The same in t and the coordinates of a point.
void read_plain(const JsonNode& node, const NamedField& field, PlaceExpression& value);
void read_plain(const JsonNode& node, const NamedField& field, VectorPlaceExpression& value);
void read_plain(const JsonNode& node, const NamedField& field, Variables& value);
void read_plain(const JsonNode& node, const NamedField& field, NameOrNumber& value);

// The number of the name that the node holds.
int read_choice(const JsonNode& node, const NamedField& field, const std::vector<std::string>& names);

// The number of the name that the node's member "type" holds.
int read_type(const JsonNode& object, const std::vector<std::string>& names);

// Refuse a node that is not a list, not an object, or an object with a key that is not among names.
void check_list(const JsonNode& node, const NamedField& field);
void check_object(const JsonNode& node, const char* wanted);
void check_keys(const JsonNode& object, const std::vector<std::string>& names);
[[noreturn]] void fail_missing(const JsonNode& object, const NamedField& field);

template <OptionsStruct T>
void read_struct(const JsonNode& node, T& options, const std::vector<std::string>& further_keys = {});

// The alternative of a variant that the key "type" names.
template <class... T>
void read_alternative(const JsonNode& node, std::variant<T...>& value) {
  check_object(node, "an object with the key \"type\"");
  const int choice = read_type(node, {T::name...});
  int number = 0;
  for_each_alternative<std::variant<T...>>([&](auto alternative) {
    if (number++ != choice) return;
    read_struct(node, alternative, {"type"});
    value = alternative;
  });
}

// The file of the object {"mesh": "file"}.
std::string read_mesh_choice(const JsonNode& node, const NamedField& field);

template <class T>
void read_value(const JsonNode& node, const NamedField& field, T& value) {
  if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(read_choice(node, field, list_enum_names<T>()));
  } else if constexpr (kIsOptional<T>) {
    read_value(node, field, value.emplace());
  } else if constexpr (kIsVector<T>) {
    check_list(node, field);
    value.assign(static_cast<size_t>(node.size()), {});
    for (int i = 0; i < node.size(); ++i) read_value(node.element(i), field, value[static_cast<size_t>(i)]);
  } else if constexpr (kIsVariant<T>) {
    read_alternative(node, value);
  } else if constexpr (kIsChoiceOrMesh<T>) {
    if (node.kind() == JsonNode::Kind::Object) {
      value.mesh = read_mesh_choice(node, field);
    } else {
      read_value(node, field, value.choice);
    }
  } else if constexpr (OptionsStruct<T>) {
    read_struct(node, value);
  } else {
    read_plain(node, field, value);
  }
}

// Collects the names of a field list.
struct FieldNames {
  template <class T>
  void operator()(const char* name, T&, const Field&) {
    names.push_back(name);
  }
  std::vector<std::string> names;
};

// Reads each field that the object has.
struct FieldReader {
  const JsonNode& object;

  template <class T>
  void operator()(const char* name, T& value, const Field& field) {
    if (const auto member = object.member(name)) {
      read_value(*member, {name, field}, value);
    } else if (field.required) {
      fail_missing(object, {name, field});
    }
  }
};

template <OptionsStruct T>
void read_struct(const JsonNode& node, T& options, const std::vector<std::string>& further_keys) {
  check_object(node, "an object");
  // All keys first: a misspelt key is a better answer than the missing one.
  FieldNames known{further_keys};
  visit_fields(known, options);
  check_keys(node, known.names);
  FieldReader reader{node};
  visit_fields(reader, options);
}

}  // namespace marrow
