// What kinds of values field lists hold, for the visitors that treat each kind differently.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/options.h"
#include "core/types.h"

namespace marrow {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;

// A choice between options structs, each with a static name, told apart by the key "type".
template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;

// An options struct: whatever has a field list.
struct FieldCounter {
  template <class T>
  void operator()(const char*, T&, const Field&) {
    ++count;
  }
  int count = 0;
};
template <class T>
concept OptionsStruct = requires(FieldCounter& visit, T& options) {
  visit_fields(visit, options);
};

// Something by its name, or a number in its place.
struct NameOrNumber {
  std::string name;  // empty: the number
  double number = 0;
  bool operator==(const NameOrNumber&) const = default;
};

// One of some names, or a mesh file: "name" or {"mesh": "file"}.
template <class Enum>
struct ChoiceOrMesh {
  Enum choice = {};
  std::string mesh;  // empty: the choice
  bool operator==(const ChoiceOrMesh&) const = default;
};
template <class T>
inline constexpr bool kIsChoiceOrMesh = false;
template <class Enum>
inline constexpr bool kIsChoiceOrMesh<ChoiceOrMesh<Enum>> = true;

// The names of an enum's values, in order.
template <class Enum>
std::vector<std::string> list_enum_names() {
  return {std::begin(EnumNames<Enum>::names), std::end(EnumNames<Enum>::names)};
}

// Calls use(T()) for each alternative T of a variant type.
template <class Variant, class Use>
void for_each_alternative(Use&& use) {
  [&]<class... T>(std::type_identity<std::variant<T...>>) { (use(T()), ...); }(std::type_identity<Variant>());
}

}  // namespace marrow
