// Expressions of variables, where a scene wants a number or text.
#pragma once

#include <string>

#include "math/expression.h"
#include "scene/json/named_field.h"

namespace marrow {

// The formula that a text node holds, with numbers in place of the node's variables. Throws InputError.
Expression read_formula(const JsonNode& node, const NamedField& field);

// The same in t and the coordinates of a point.
PlaceExpression read_place_formula(const JsonNode& node, const NamedField& field);

// The number that a text node holds as an expression without t. Throws InputError.
double compute_number(const JsonNode& node, const NamedField& field);

// The text of a node: "link {i + 1}" gives "link 3"; {{ stands for a plain {. Throws InputError.
std::string substitute_text(const JsonNode& node, const NamedField& field);

// Text in which nothing is left to substitute: { is doubled.
std::string quote_braces(const std::string& text);

// The variables that an object defines, by numbers and by expressions of each other in any order. Those of
// given take the place of the object's own. Throws InputError, also for names that expressions know
// otherwise.
Variables read_variables(const JsonNode& object, const NamedField& field, const Variables& given);

}  // namespace marrow
