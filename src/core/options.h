// One field list per options struct. From it come JSON parsing, command-line overrides, validation and the
// scene reference; there is no second list to forget.
//
// An options struct S is a plain struct with defaults, and a function beside it:
//
//   template <class Visitor> void visit_fields(Visitor& visit, TimeOptions& o) {
//     visit("step", o.step, {.unit = "s", .above = 0, .doc = "Time step; larger is faster and more
//     damped."});
//   }
//
// A visitor is called with (name, value&, Field). Values are bool, int, double, std::string, Vec3, enums with
// enum_names(E), vectors, optionals, and further options structs.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace marrow {

// What is known of a field besides its name, type and default.
struct Field {
  const char* unit = "";                                    // SI unit; empty for a pure number
  double above = -std::numeric_limits<double>::infinity();  // the value must be greater than this
  double at_least = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();  // the value must be less than this
  double at_most = std::numeric_limits<double>::infinity();
  bool required = false;
  const char* doc = "";  // meaning, and what raising it does
};

// Why a number is outside a field's range, as "must be above 0"; empty if it is inside.
std::string explain_range(const Field& field, double value);

// The names of a choice in declaration order; specialised beside each enum whose values count up from 0.
template <class Enum>
struct EnumNames;

template <class Enum>
const char* enum_name(Enum value) {
  return EnumNames<Enum>::names[static_cast<int>(value)];
}

}  // namespace marrow
