// Formulas in the time t, as scenes hold them: "0.2 * sin(2*pi*t)", "if(t < 1, t, 1)".
//
//   numbers      1, 0.5, 2e-3
//   names        t (time in seconds), pi, e
//   operators    + - * / ^ (right to left, above a sign: -2^2 = -4)   < <= > >= == !=   && || !
//   functions    sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs floor ceil round sign of one
//   value;
//                min max of two or more; atan2(y, x); mod(a, b) with the sign of b; if(condition, then,
//                else); clamp(x, low, high); step(x): 0 below zero, else 1; smoothstep(a, b, x): 0 to 1 from
//                a to b; table(x, x0, y0, x1, y1, …): straight lines between the points, held outside;
//                random(a, …): a number from 0 to 1 (excluded) that the values decide, the same everywhere
//   variables    names with a number each, given by the caller; the text keeps the numbers, not the names
//   places       x, y, z, where the caller allows them (PlaceExpression)
//
// Comparisons give 1 or 0; anything but 0 is true. Parsing only builds a list of operations on a stack of
// numbers: there are no loops, no memory, no access to anything else.
#pragma once

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace marrow {

// A formula that cannot be read: what is wrong, and at which character (1-based).
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(int at_column, const std::string& problem)
      : std::runtime_error(problem), column(at_column) {}
  int column;
};

// Names that stand for numbers in a formula.
using Variables = std::map<std::string, double>;

// Whether formulas give the name a meaning of their own: t, pi, e, and the functions.
bool is_formula_name(std::string_view name);

// The shortest text that reads back as the same number.
std::string format_number(double value);

class Expression {
 public:
  Expression() : Expression(0) {}
  Expression(double constant);  // NOLINT(google-explicit-constructor): a number is a formula
  // Throws ExpressionError.
  explicit Expression(std::string_view text, const Variables& variables = {});

  // May be infinite or not a number, as in 1/t at 0.
  double evaluate(double t) const { return evaluate_at(t, Vec3::Zero()); }

  // Whether it is a plain number.
  bool is_constant() const;

  // Whether t occurs in it.
  bool depends_on_time() const;

  const std::string& text() const { return text_; }
  bool operator==(const Expression& other) const { return text_ == other.text_; }

  // What a step of the evaluation puts on the stack.
  enum class Input { Number, Time, X, Y, Z };

  // One step of the evaluation: a function of the values on top of the stack. Without a function it puts a
  // value there.
  struct Instruction {
    double (*function)(std::span<const double>) = nullptr;
    int arguments = 0;
    Input input = Input::Number;
    double number = 0;
  };

 protected:
  Expression(std::string_view text, const Variables& variables, bool has_places);

  double evaluate_at(double t, const Vec3& place) const;
  bool uses_place() const;

 private:
  std::string text_;
  std::vector<Instruction> program_;  // in the order of evaluation
};

// A formula in t and in the coordinates x, y, z of a point.
class PlaceExpression : public Expression {
 public:
  PlaceExpression() = default;
  PlaceExpression(double constant) : Expression(constant) {}  // NOLINT(google-explicit-constructor)
  // Throws ExpressionError.
  explicit PlaceExpression(std::string_view text, const Variables& variables = {})
      : Expression(text, variables, true) {}

  double evaluate(double t, const Vec3& place) const { return evaluate_at(t, place); }

  // Whether x, y or z occurs in it.
  bool depends_on_place() const { return uses_place(); }
};

// Three of them: a vector at every point.
struct VectorPlaceExpression {
  PlaceExpression x, y, z;

  Vec3 evaluate(double t, const Vec3& place) const {
    return {x.evaluate(t, place), y.evaluate(t, place), z.evaluate(t, place)};
  }
  bool operator==(const VectorPlaceExpression&) const = default;
};

// Three of them: a vector that changes in time.
struct VectorExpression {
  Expression x, y, z;

  VectorExpression() = default;
  VectorExpression(const Vec3& constant) : x(constant.x()), y(constant.y()), z(constant.z()) {}  // NOLINT
  VectorExpression(Expression first, Expression second, Expression third)
      : x(std::move(first)), y(std::move(second)), z(std::move(third)) {}

  Vec3 evaluate(double t) const { return {x.evaluate(t), y.evaluate(t), z.evaluate(t)}; }
  bool operator==(const VectorExpression&) const = default;
};

}  // namespace marrow
