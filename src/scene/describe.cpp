#include "scene/describe.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "scene/json/expressions.h"
#include "scene/json/field_types.h"

namespace marrow {
namespace {

template <class T>
std::string format_value(T value, int depth);

std::string new_line(int depth) { return fmt::format("\n{:{}}", "", 2 * depth); }

// Shortest text that reads back as the same value.
template <class T>
std::string format_plain(const T& value) {
  return nlohmann::json(value).dump();
}

std::string format_plain(const Vec3& value) {
  return fmt::format("[{}, {}, {}]", format_plain(value.x()), format_plain(value.y()),
                     format_plain(value.z()));
}

std::string format_plain(const Expression& value) {
  return value.is_constant() ? format_plain(value.evaluate(0)) : format_plain(value.text());
}

std::string format_plain(const PlaceExpression& value) {
  return format_plain(static_cast<const Expression&>(value));
}

std::string format_plain(const VectorExpression& value) {
  return fmt::format("[{}, {}, {}]", format_plain(value.x), format_plain(value.y), format_plain(value.z));
}

std::string format_plain(const VectorPlaceExpression& value) {
  return fmt::format("[{}, {}, {}]", format_plain(value.x), format_plain(value.y), format_plain(value.z));
}

std::string format_plain(const NameOrNumber& value) {
  return value.name.empty() ? format_plain(value.number) : format_plain(quote_braces(value.name));
}

// Writes the fields of a struct, one per line.
struct FieldWriter {
  int depth;
  std::string text;

  void add(const char* name, const std::string& value) {
    text += fmt::format("{}{}{}: {}", text.empty() ? "" : ",", new_line(depth), format_plain(name), value);
  }

  template <class T>
  void operator()(const char* name, T& value, const Field&) {
    if constexpr (kIsOptional<T>) {
      if (value) add(name, format_value(*value, depth));
    } else {
      add(name, format_value(value, depth));
    }
  }
};

template <class T>
std::string format_struct(T& options, int depth, const char* type) {
  FieldWriter writer{depth + 1, {}};
  if (type != nullptr) writer.add("type", format_plain(type));
  visit_fields(writer, options);
  return fmt::format("{{{}{}}}", writer.text, new_line(depth));
}

// Plain elements stay on one line, structs get a line each.
template <class T>
std::string format_list(const std::vector<T>& values, int depth) {
  if (values.empty()) return "[]";
  const std::string start = OptionsStruct<T> ? new_line(depth + 1) : "";
  std::string text;
  for (const T& value : values) {
    if (!text.empty()) text += OptionsStruct<T> ? "," : ", ";
    text += start + format_value(value, depth + 1);
  }
  return fmt::format("[{}{}]", text, OptionsStruct<T> ? new_line(depth) : "");
}

// By value, as field lists are visited with write access.
template <class T>
std::string format_value(T value, int depth) {
  if constexpr (std::is_enum_v<T>) {
    return format_plain(enum_name(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return format_plain(quote_braces(value));
  } else if constexpr (kIsChoiceOrMesh<T>) {
    if (value.mesh.empty()) return format_plain(enum_name(value.choice));
    return fmt::format("{{\"mesh\": {}}}", format_plain(quote_braces(value.mesh)));
  } else if constexpr (kIsVector<T>) {
    return format_list(value, depth);
  } else if constexpr (kIsVariant<T>) {
    return std::visit([&](auto& options) { return format_struct(options, depth, options.name); }, value);
  } else if constexpr (OptionsStruct<T>) {
    return format_struct(value, depth, nullptr);
  } else {
    return format_plain(value);
  }
}

}  // namespace

std::string describe_scene(const Scene& scene) { return format_value(scene, 0) + "\n"; }

}  // namespace marrow
