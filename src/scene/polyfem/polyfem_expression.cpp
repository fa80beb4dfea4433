#include "scene/polyfem/polyfem_expression.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "math/expression.h"

namespace marrow {
namespace {

// A function and what it is in our words; {0}, {1}, {2} stand for its values.
struct ForeignFunction {
  const char* name;
  size_t arguments;
  const char* ours;
};

constexpr ForeignFunction kForeignFunctions[] = {
    {"abs", 1, "abs({0})"},
    {"acos", 1, "acos({0})"},
    {"asin", 1, "asin({0})"},
    {"atan", 1, "atan({0})"},
    {"atan2", 2, "atan2({0}, {1})"},
    {"ceil", 1, "ceil({0})"},
    {"cos", 1, "cos({0})"},
    {"cosh", 1, "cosh({0})"},
    {"exp", 1, "exp({0})"},
    {"floor", 1, "floor({0})"},
    {"ln", 1, "log({0})"},
    {"log", 1, "(log({0}) / log(10))"},
    {"log10", 1, "(log({0}) / log(10))"},
    {"pow", 2, "({0} ^ {1})"},
    {"sin", 1, "sin({0})"},
    {"sinh", 1, "sinh({0})"},
    {"sqrt", 1, "sqrt({0})"},
    {"tan", 1, "tan({0})"},
    {"tanh", 1, "tanh({0})"},
    {"min", 2, "min({0}, {1})"},
    {"max", 2, "max({0}, {1})"},
    {"deg2rad", 1, "({0} * pi / 180)"},
    {"rotate_2D_x", 3, "({0} * cos({2}) - {1} * sin({2}))"},
    {"rotate_2D_y", 3, "({0} * sin({2}) + {1} * cos({2}))"},
    {"smooth_abs", 2, "({0} * tanh({1} * {0}))"},
    {"if", 3, "if({0} >= 0, {1}, {2})"},
    {"sign", 1, "sign({0})"},
    {"compare", 2, "({0} < {1})"},
    {"smoothstep", 1, "smoothstep(0, 1, {0})"},
    {"half_smoothstep", 1, "(2 * smoothstep(-1, 1, {0}) - 1)"},
};

constexpr int kMostNesting = 80;

// Recursive descent; each function returns what it read in our words, in brackets if it has several parts.
class Translator {
 public:
  explicit Translator(std::string_view text) : text_(text) {}

  std::string translate() {
    skip_space();
    std::string result = read_sum();
    if (at_ < text_.size()) fail(found() + " is not expected here");
    return result;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::string found() const { return at_ < text_.size() ? fmt::format("'{}'", text_[at_]) : "the end"; }
  [[noreturn]] void fail(const std::string& problem) const {
    throw ExpressionError(static_cast<int>(at_) + 1, problem);
  }

  void skip_space() {
    while (std::isspace(static_cast<unsigned char>(peek())) != 0) ++at_;
  }

  bool accept(char symbol) {
    if (peek() != symbol) return false;
    ++at_;
    skip_space();
    return true;
  }

  void expect(char symbol) {
    if (!accept(symbol)) fail(fmt::format("wanted '{}', found {}", symbol, found()));
  }

  std::string read_sum() {
    if (++depth_ > kMostNesting) fail("the formula is nested too deeply");
    std::string sum = read_product();
    while (peek() == '+' || peek() == '-') {
      const char sign = peek();
      accept(sign);
      sum = fmt::format("({} {} {})", sum, sign, read_product());
    }
    --depth_;
    return sum;
  }

  std::string read_product() {
    std::string product = read_power();
    for (;;) {
      if (accept('*')) {
        product = fmt::format("({} * {})", product, read_power());
      } else if (accept('/')) {
        product = fmt::format("({} / {})", product, read_power());
      } else if (accept('%')) {
        const std::string divisor = read_power();
        product = fmt::format("(sign({0}) * mod(abs({0}), abs({1})))", product, divisor);
      } else {
        return product;
      }
    }
  }

  std::string read_power() {
    std::string power = read_signed();
    while (accept('^')) power = fmt::format("({} ^ {})", power, read_signed());
    return power;
  }

  std::string read_signed() {
    bool is_negative = false;
    while (peek() == '-' || peek() == '+') {
      if (peek() == '-') is_negative = !is_negative;
      accept(peek());
    }
    const std::string atom = read_atom();
    return is_negative ? fmt::format("(-{})", atom) : atom;
  }

  std::string read_atom() {
    if (accept('(')) {
      const std::string inside = read_sum();
      expect(')');
      return fmt::format("({})", inside);
    }
    if (std::isdigit(static_cast<unsigned char>(peek())) != 0 || peek() == '.') return read_number();
    if (std::isalpha(static_cast<unsigned char>(peek())) != 0) return read_name();
    fail("wanted a number, a name or '(', found " + found());
  }

  std::string read_number() {
    const size_t start = at_;
    const auto is_digit = [&] { return std::isdigit(static_cast<unsigned char>(peek())) != 0; };
    while (is_digit() || peek() == '.') ++at_;
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '-' || peek() == '+') ++at_;
      while (is_digit()) ++at_;
    }
    const std::string number(text_.substr(start, at_ - start));
    skip_space();
    return number;
  }

  std::string read_name() {
    const size_t start = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '_') ++at_;
    const std::string name(text_.substr(start, at_ - start));
    skip_space();
    if (name == "x" || name == "y" || name == "z" || name == "t" || name == "pi" || name == "e") return name;
    const auto* function = std::find_if(std::begin(kForeignFunctions), std::end(kForeignFunctions),
                                        [&](const ForeignFunction& f) { return name == f.name; });
    if (function == std::end(kForeignFunctions)) {
      at_ = start;
      fail("'" + name + "' is not known in PolyFEM's formulas, or has no counterpart");
    }
    std::vector<std::string> values;
    if (function->arguments == 1 && peek() != '(') {
      values.push_back(read_power());
    } else {
      expect('(');
      do values.push_back(read_sum());
      while (accept(','));
      expect(')');
    }
    if (values.size() != function->arguments) {
      at_ = start;
      fail(fmt::format("{} takes {}, found {}", name, function->arguments, values.size()));
    }
    fmt::dynamic_format_arg_store<fmt::format_context> arguments;
    for (const std::string& value : values) arguments.push_back(value);
    return fmt::vformat(function->ours, arguments);
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::string translate_polyfem_formula(std::string_view text) { return Translator(text).translate(); }

}  // namespace marrow
