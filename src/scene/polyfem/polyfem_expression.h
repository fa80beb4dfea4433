// Formulas of PolyFEM, which TinyExpr evaluates there, as formulas of ours.
//
// TinyExpr differs: a sign binds stronger than ^, (-2)^2 = 4; ^ goes from left to right; % is C's remainder;
// log is the logarithm to base 10, ln the natural one; a function of one value needs no brackets. PolyFEM
// adds min, max, deg2rad, rotate_2D_x, rotate_2D_y, smooth_abs(v, k) = v tanh(k v), if(a, b, c): b for a ≥ 0,
// compare(a, b): a < b, sign, smoothstep and half_smoothstep of one value.
#pragma once

#include <string>
#include <string_view>

namespace marrow {

// Throws ExpressionError.
std::string translate_polyfem_formula(std::string_view text);

}  // namespace marrow
