// Values as PolyFEM's JSON writes them: a number, or a formula; one for all axes, or a list of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "math/expression.h"
#include "scene/json/json.h"

namespace marrow {

// Refuse what is of the wrong type, naming it. wanted: "the activation distance in m".
double read_polyfem_number(const JsonNode& node, const char* wanted);
bool read_polyfem_flag(const JsonNode& node, const char* wanted);
int read_polyfem_integer(const JsonNode& node, const char* wanted);
std::string read_polyfem_text(const JsonNode& node, const char* wanted);
// Three numbers; two mean a scene in two dimensions, which is refused.
Vec3 read_polyfem_vector(const JsonNode& node, const char* wanted);

// A number or formula in x, y, z and t.
PlaceExpression read_polyfem_formula(const JsonNode& node, const char* wanted);
// Three of them.
VectorPlaceExpression read_polyfem_formulas(const JsonNode& node, const char* wanted);

// Whether the formula depends on neither place nor time.
bool is_constant_everywhere(const VectorPlaceExpression& formula);

// Member of an object, if it is there and not null.
std::optional<JsonNode> polyfem_member(const JsonNode& object, const std::string& key);

// The elements of a list, or the one value in its place.
std::vector<JsonNode> list_polyfem_elements(const JsonNode& node);

// Refuses an object with a key that is not among these.
void check_polyfem_keys(const JsonNode& object, const std::vector<std::string>& known);

[[noreturn]] void refuse_polyfem_plane(const JsonNode& node);

}  // namespace marrow
