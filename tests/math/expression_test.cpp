// Formulas: what they mean, what is refused and where, and garbage.
#include "math/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace marrow {
namespace {

double value_of(const char* text, double t = 0) { return Expression(text).evaluate(t); }

TEST(Expression, operators_bind_as_in_mathematics) {
  EXPECT_EQ(value_of("1 + 2 * 3"), 7);
  EXPECT_EQ(value_of("(1 + 2) * 3"), 9);
  EXPECT_EQ(value_of("8 - 4 - 2"), 2);
  EXPECT_EQ(value_of("8 / 4 / 2"), 1);
  EXPECT_EQ(value_of("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(value_of("-2^2"), -4);
  EXPECT_EQ(value_of("2^-1"), 0.5);
  EXPECT_EQ(value_of("2 * -3"), -6);
  EXPECT_EQ(value_of("- - +1"), 1);
  EXPECT_EQ(value_of("1e-3 * 2.5E2"), 0.25);
  EXPECT_EQ(value_of(" .5\t+\n.5 "), 1);
  EXPECT_EQ(value_of("1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 1 == 1 && 1 != 2"), 1);
  EXPECT_EQ(value_of("1 > 2 || !0"), 1);
  EXPECT_EQ(value_of("1 + 1 == 2"), 1);
}

TEST(Expression, functions_are_those_of_the_documentation) {
  const double t = 0.7;
  EXPECT_EQ(value_of("sin(t) + cos(t) + tan(t)", t), std::sin(t) + std::cos(t) + std::tan(t));
  EXPECT_EQ(value_of("asin(t) - acos(t) * atan(t)", t), std::asin(t) - std::acos(t) * std::atan(t));
  EXPECT_EQ(value_of("exp(log(t)) - sqrt(t)", t), std::exp(std::log(t)) - std::sqrt(t));
  EXPECT_EQ(value_of("abs(-3) + floor(-0.5) + ceil(0.5) + round(1.4) + sign(-7) + step(-1) + step(0)"), 4);
  EXPECT_EQ(value_of("atan2(1, -1)"), std::atan2(1, -1));
  EXPECT_EQ(value_of("mod(-1, 3)"), 2);
  EXPECT_EQ(value_of("min(3, 1, 2) + max(3, 1, 2)"), 4);
  EXPECT_EQ(value_of("if(t < 1, 5, 6)", 0.5), 5);
  EXPECT_EQ(value_of("if(t < 1, 5, 6)", 1), 6);
  EXPECT_EQ(value_of("clamp(t, 0, 1)", 3), 1);
  EXPECT_EQ(value_of("smoothstep(1, 3, t)", 2), 0.5);
  EXPECT_EQ(value_of("pi") + value_of("e"), std::numbers::pi + std::numbers::e);
  EXPECT_EQ(value_of("table(t, 0, 1, 2, 5, 4, 5)", -1), 1);
  EXPECT_EQ(value_of("table(t, 0, 1, 2, 5, 4, 5)", 1), 3);
  EXPECT_EQ(value_of("table(t, 0, 1, 2, 5, 4, 5)", 9), 5);
}

struct Mistake {
  const char* text;
  int column;
  const char* problem;
};

TEST(Expression, mistakes_are_told_with_their_column) {
  const Mistake mistakes[] = {
      {"", 1, "the formula is empty"},
      {"1 +", 4, "wanted a number, a name or '(', found the end"},
      {"2 * (t + 1", 11, "wanted ')' to close the bracket, found the end"},
      {"t t", 3, "'t' is not expected here"},
      {"1 + $", 5, "wanted a number, a name or '(', found '$'"},
      {"sin t", 5, "wanted '(' after the function, found 't'"},
      {"sin(1, 2)", 4, "sin takes 1, found 2"},
      {"min(1)", 4, "min takes 2 or more, found 1"},
      {"table(t, 1)", 6, "table takes x and pairs of x, y, found 2"},
      {"1..2", 3, "'.' is not expected here"},
      {"1e999", 1, "the number cannot be read"},
  };
  for (const Mistake& mistake : mistakes) {
    try {
      const Expression parsed(mistake.text);
      ADD_FAILURE() << mistake.text << " was read";
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.column, mistake.column) << mistake.text;
      EXPECT_STREQ(error.what(), mistake.problem) << mistake.text;
    }
  }
  EXPECT_THROW(Expression("sinn(t)"), ExpressionError);
  EXPECT_THROW(Expression(std::string(1000, '(') + "1"), ExpressionError);
  EXPECT_THROW(Expression(std::string(1000, '-') + "1"), ExpressionError);
}

TEST(Expression, garbage_is_read_or_refused_but_never_worse) {
  const std::string letters = "0123456789.+-*/^()<>=!&|, tsinpeifmaxb";
  std::mt19937 random(3);
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (unsigned k = random() % 12; k > 0; --k) text += letters[random() % letters.size()];
    try {
      static_cast<void>(Expression(text).evaluate(0.5));
      ++read;
    } catch (const ExpressionError& error) {
      ASSERT_GE(error.column, 1);
      ASSERT_LE(error.column, static_cast<int>(text.size()) + 1);
    }
  }
  EXPECT_GT(read, 100);
}

TEST(Expression, only_plain_numbers_are_constant) {
  EXPECT_TRUE(Expression(0.1).is_constant());
  EXPECT_TRUE(Expression("3").is_constant());
  EXPECT_FALSE(Expression("1 + 2").is_constant());
  EXPECT_FALSE(Expression("t").is_constant());
  EXPECT_EQ(Expression(1e-300).evaluate(0), 1e-300);
  EXPECT_EQ(VectorExpression(Vec3(1, 2, 3)).evaluate(4), Vec3(1, 2, 3));
}

}  // namespace
}  // namespace marrow
