#include "scene/guide/schema.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "scene/json/field_types.h"
#include "scene/written_scene.h"

namespace marrow {
namespace {

using SchemaJson = nlohmann::ordered_json;

template <class T>
SchemaJson describe_type(const Field& field);

// A number in the field's range, or an expression in its place.
SchemaJson describe_number(const char* type, const Field& field) {
  SchemaJson number = {{"type", type}};
  const auto add = [&](const char* key, double bound) {
    if (std::isfinite(bound)) number[key] = bound;
  };
  add("exclusiveMinimum", field.above);
  add("minimum", field.at_least);
  add("exclusiveMaximum", field.below);
  add("maximum", field.at_most);
  return {{"anyOf", {number, {{"$ref", "#/definitions/expression"}}}}};
}

SchemaJson describe_three(const SchemaJson& item) {
  return {{"type", "array"}, {"items", item}, {"minItems", 3}, {"maxItems", 3}};
}

template <class T>
SchemaJson default_value(const T& value) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, int> || std::is_same_v<T, double> ||
                std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<T, Vec3>) {
    return {value.x(), value.y(), value.z()};
  } else if constexpr (std::is_enum_v<T>) {
    return enum_name(value);
  } else {
    return nullptr;
  }
}

// Collects the properties of a struct.
struct SchemaWriter {
  SchemaJson properties = SchemaJson::object();
  SchemaJson required = SchemaJson::array();

  template <class T>
  void operator()(const char* name, T& value, const Field& field) {
    SchemaJson property = describe_type<T>(field);
    if (*field.doc != '\0')
      property["description"] =
          *field.unit == '\0' ? field.doc : fmt::format("[{}] {}", field.unit, field.doc);
    if (SchemaJson usual = default_value(value); !usual.is_null() && !field.required)
      property["default"] = usual;
    properties[name] = property;
    if (field.required) required.push_back(name);
  }

  SchemaJson finish() const {
    SchemaJson schema = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty()) schema["required"] = required;
    return schema;
  }
};

template <class T>
SchemaJson describe_struct() {
  SchemaWriter writer;
  T defaults;
  visit_fields(writer, defaults);
  return writer.finish();
}

// An alternative with its "type".
template <class T>
SchemaJson describe_alternative(bool may_leave_type) {
  SchemaWriter writer;
  writer.properties["type"] = {{"const", T::name}};
  if (!may_leave_type) writer.required.push_back("type");
  T defaults;
  visit_fields(writer, defaults);
  return writer.finish();
}

template <class Variant>
SchemaJson describe_variant() {
  SchemaJson choices = SchemaJson::array();
  constexpr bool kIsCopies = std::is_same_v<Variant, Copies>;
  for_each_alternative<Variant>([&](auto alternative) {
    using T = decltype(alternative);
    choices.push_back(describe_alternative<T>(kIsCopies && std::is_same_v<T, RowCopies>));
  });
  // A number alone is the count of a row.
  if constexpr (kIsCopies) choices.push_back(describe_number("integer", {.at_least = 0}));
  return {{"anyOf", choices}};
}

template <class T>
SchemaJson describe_type(const Field& field) {
  const SchemaJson expression = {{"$ref", "#/definitions/expression"}};
  if constexpr (std::is_same_v<T, bool>) {
    return {{"type", "boolean"}};
  } else if constexpr (std::is_same_v<T, int>) {
    return describe_number("integer", field);
  } else if constexpr (std::is_same_v<T, double>) {
    return describe_number("number", field);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {{"type", "string"}};
  } else if constexpr (std::is_same_v<T, Vec3>) {
    return describe_three(describe_number("number", field));
  } else if constexpr (std::is_same_v<T, Expression> || std::is_same_v<T, NameOrNumber>) {
    return {{"type", {"number", "string"}}};
  } else if constexpr (std::is_same_v<T, VectorExpression> || std::is_same_v<T, VectorPlaceExpression>) {
    return describe_three({{"type", {"number", "string"}}});
  } else if constexpr (std::is_same_v<T, Variables>) {
    return {{"type", "object"}, {"additionalProperties", {{"type", {"number", "string"}}}}};
  } else if constexpr (std::is_same_v<T, IncludeDescription>) {
    return {{"anyOf", {{{"type", "string"}}, describe_struct<T>()}}};
  } else if constexpr (std::is_enum_v<T>) {
    return {{"enum", list_enum_names<T>()}};
  } else if constexpr (kIsChoiceOrMesh<T>) {
    const SchemaJson file = {{"type", "object"},
                             {"properties", {{"mesh", {{"type", "string"}}}}},
                             {"additionalProperties", false},
                             {"required", {"mesh"}}};
    return {{"anyOf", {describe_type<decltype(T::choice)>(field), file}}};
  } else if constexpr (kIsVector<T>) {
    return {{"type", "array"}, {"items", describe_type<typename T::value_type>(field)}};
  } else if constexpr (kIsOptional<T>) {
    return describe_type<typename T::value_type>(field);
  } else if constexpr (kIsVariant<T>) {
    return describe_variant<T>();
  } else if constexpr (std::is_same_v<T, WrittenCopies>) {
    return describe_variant<Copies>();
  } else {
    return describe_struct<T>();
  }
}

}  // namespace

std::string scene_schema() {
  SchemaJson schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Marrow scene"}};
  SchemaJson scene = describe_struct<WrittenScene>();
  scene.erase("required");  // bodies may all be included
  schema.update(scene);
  schema["anyOf"] = {{{"required", {"bodies"}}}, {{"required", {"include"}}}};
  schema["definitions"]["expression"] = {{"type", "string"},
                                         {"description", "An expression of variables: \"2 * r + gap\"."}};
  return schema.dump(1) + "\n";
}

}  // namespace marrow
