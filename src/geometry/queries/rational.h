// The exact quotient of two decimal integers of any length, where it is a double.
//
// Collision queries are written as rationals, so that nothing is lost in print. Every coordinate was a double
// once, hence so is every quotient; numerator and denominator go far beyond 64 bits, though.
#pragma once

#include <optional>
#include <string_view>

namespace marrow {

// Whether the text is digits with an optional sign.
bool is_integer_text(std::string_view text);

// The quotient of two integer texts; nothing if it is not exactly a double. The denominator must not be zero.
std::optional<double> compute_exact_quotient(std::string_view numerator, std::string_view denominator);

// Whether an integer text is zero.
bool is_zero_text(std::string_view text);

}  // namespace marrow
