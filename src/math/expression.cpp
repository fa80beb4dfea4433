#include "math/expression.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/error.h"

namespace marrow {
namespace {

using Input = Expression::Input;
using Instruction = Expression::Instruction;
using Values = std::span<const double>;

constexpr int kMaxDepth = 100;  // of brackets
constexpr int kMaxInstructions = 2000;
constexpr int kMaxArguments = 1001;  // a table of 500 points

struct Function {
  const char* name;
  int fewest;
  int most;
  double (*evaluate)(Values);
};

// Straight lines through the points (v1, v2), (v3, v4), …, at v0.
double interpolate(Values v) {
  const double x = v[0];
  if (x <= v[1]) return v[2];
  for (size_t k = 3; k + 1 < v.size(); k += 2) {
    if (x > v[k]) continue;
    const double u = (x - v[k - 2]) / (v[k] - v[k - 2]);
    return (1 - u) * v[k - 1] + u * v[k + 1];
  }
  return v.back();
}

double smoothstep(Values v) {
  const double u = std::clamp((v[2] - v[0]) / (v[1] - v[0]), 0.0, 1.0);
  return u * u * (3 - 2 * u);
}

// The finaliser of SplitMix64 over the bits of the values: each bit of the result depends on all of them.
double mix(Values v) {
  std::uint64_t z = 0;
  for (const double value : v) {
    z += std::bit_cast<std::uint64_t>(value + 0.0) + 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    z ^= z >> 31;
  }
  return static_cast<double>(z >> 11) * 0x1p-53;
}

double to_number(bool condition) { return condition ? 1 : 0; }

constexpr Function kFunctions[] = {
    {"sin", 1, 1, [](Values v) { return std::sin(v[0]); }},
    {"cos", 1, 1, [](Values v) { return std::cos(v[0]); }},
    {"tan", 1, 1, [](Values v) { return std::tan(v[0]); }},
    {"asin", 1, 1, [](Values v) { return std::asin(v[0]); }},
    {"acos", 1, 1, [](Values v) { return std::acos(v[0]); }},
    {"atan", 1, 1, [](Values v) { return std::atan(v[0]); }},
    {"sinh", 1, 1, [](Values v) { return std::sinh(v[0]); }},
    {"cosh", 1, 1, [](Values v) { return std::cosh(v[0]); }},
    {"tanh", 1, 1, [](Values v) { return std::tanh(v[0]); }},
    {"exp", 1, 1, [](Values v) { return std::exp(v[0]); }},
    {"log", 1, 1, [](Values v) { return std::log(v[0]); }},
    {"sqrt", 1, 1, [](Values v) { return std::sqrt(v[0]); }},
    {"abs", 1, 1, [](Values v) { return std::abs(v[0]); }},
    {"floor", 1, 1, [](Values v) { return std::floor(v[0]); }},
    {"ceil", 1, 1, [](Values v) { return std::ceil(v[0]); }},
    {"round", 1, 1, [](Values v) { return std::round(v[0]); }},
    {"sign", 1, 1, [](Values v) { return to_number(v[0] > 0) - to_number(v[0] < 0); }},
    {"step", 1, 1, [](Values v) { return to_number(v[0] >= 0); }},
    {"atan2", 2, 2, [](Values v) { return std::atan2(v[0], v[1]); }},
    {"mod", 2, 2, [](Values v) { return v[0] - v[1] * std::floor(v[0] / v[1]); }},
    {"min", 2, kMaxArguments, [](Values v) { return *std::min_element(v.begin(), v.end()); }},
    {"max", 2, kMaxArguments, [](Values v) { return *std::max_element(v.begin(), v.end()); }},
    {"if", 3, 3, [](Values v) { return v[0] != 0 ? v[1] : v[2]; }},
    {"clamp", 3, 3, [](Values v) { return std::max(v[1], std::min(v[0], v[2])); }},
    {"smoothstep", 3, 3, smoothstep},
    {"table", 3, kMaxArguments, interpolate},
    {"random", 1, kMaxArguments, mix},
};

bool is_place(std::string_view name) { return name == "x" || name == "y" || name == "z"; }

double negate(Values v) { return -v[0]; }
double invert(Values v) { return to_number(v[0] == 0); }
double raise(Values v) { return std::pow(v[0], v[1]); }

// Operators of two values by rank, weakest first; the longer symbol before the shorter that it begins with.
constexpr int kRanks = 5;
constexpr Function kOperators[] = {
    {"||", 0, 0, [](Values v) { return to_number(v[0] != 0 || v[1] != 0); }},
    {"&&", 1, 1, [](Values v) { return to_number(v[0] != 0 && v[1] != 0); }},
    {"<=", 2, 2, [](Values v) { return to_number(v[0] <= v[1]); }},
    {">=", 2, 2, [](Values v) { return to_number(v[0] >= v[1]); }},
    {"==", 2, 2, [](Values v) { return to_number(v[0] == v[1]); }},
    {"!=", 2, 2, [](Values v) { return to_number(v[0] != v[1]); }},
    {"<", 2, 2, [](Values v) { return to_number(v[0] < v[1]); }},
    {">", 2, 2, [](Values v) { return to_number(v[0] > v[1]); }},
    {"+", 3, 3, [](Values v) { return v[0] + v[1]; }},
    {"-", 3, 3, [](Values v) { return v[0] - v[1]; }},
    {"*", 4, 4, [](Values v) { return v[0] * v[1]; }},
    {"/", 4, 4, [](Values v) { return v[0] / v[1]; }},
};

// Recursive descent: each function reads one kind of part and appends its operations.
class Parser {
 public:
  Parser(std::string_view text, const Variables& variables, bool has_places)
      : text_(text), variables_(variables), has_places_(has_places) {}

  std::vector<Instruction> parse() {
    skip_space();
    if (at_end()) fail("the formula is empty");
    parse_rank(0);
    if (!at_end()) fail(found() + " is not expected here");
    return std::move(program_);
  }

  bool has_variables() const { return !used_.empty(); }

  // The text with numbers in place of variables.
  std::string write_numbers() const {
    std::string text;
    size_t from = 0;
    for (const Use& use : used_) {
      text += text_.substr(from, use.begin - from);
      const std::string number = format_number(use.value);
      text += std::signbit(use.value) ? "(" + number + ")" : number;
      from = use.end;
    }
    return text + std::string(text_.substr(from));
  }

 private:
  // A variable in the text.
  struct Use {
    size_t begin, end;
    double value;
  };

  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }

  void skip_space() {
    while (!at_end() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw ExpressionError(static_cast<int>(at_) + 1, problem);
  }

  std::string found() const { return at_end() ? "the end" : "'" + std::string(1, peek()) + "'"; }

  bool accept(std::string_view symbol) {
    if (text_.substr(at_, symbol.size()) != symbol) return false;
    at_ += symbol.size();
    skip_space();
    return true;
  }

  void expect(std::string_view symbol, const char* why) {
    if (!accept(symbol)) fail("wanted '" + std::string(symbol) + "' " + why + ", found " + found());
  }

  void add(const Instruction& instruction) {
    program_.push_back(instruction);
    if (program_.size() > kMaxInstructions) fail("the formula is too long");
  }
  void add(double (*function)(Values), int arguments) {
    add(Instruction{function, arguments, Input::Number, 0});
  }
  void add(double number) { add(Instruction{nullptr, 0, Input::Number, number}); }

  void parse_rank(int rank) {
    if (rank == kRanks) return parse_sign();
    parse_rank(rank + 1);
    for (;;) {
      const auto* match = std::find_if(std::begin(kOperators), std::end(kOperators),
                                       [&](const Function& f) { return f.fewest == rank && accept(f.name); });
      if (match == std::end(kOperators)) return;
      parse_rank(rank + 1);
      add(match->evaluate, 2);
    }
  }

  void parse_sign() {
    if (++depth_ > kMaxDepth) fail("the formula is nested too deeply");
    if (accept("-")) {
      parse_sign();
      add(negate, 1);
    } else if (accept("!")) {
      parse_sign();
      add(invert, 1);
    } else if (accept("+")) {
      parse_sign();
    } else {
      parse_atom();
      if (accept("^")) {
        parse_sign();
        add(raise, 2);
      }
    }
    --depth_;
  }

  void parse_atom() {
    if (accept("(")) {
      parse_rank(0);
      expect(")", "to close the bracket");
    } else if (std::isdigit(static_cast<unsigned char>(peek())) != 0 || peek() == '.') {
      parse_number();
    } else if (std::isalpha(static_cast<unsigned char>(peek())) != 0 || peek() == '_') {
      parse_name();
    } else {
      fail("wanted a number, a name or '(', found " + found());
    }
  }

  void parse_number() {
    double value = 0;
    const char* end = text_.data() + text_.size();
    const auto [next, error] = std::from_chars(text_.data() + at_, end, value);
    if (error != std::errc()) fail("the number cannot be read");
    at_ = static_cast<size_t>(next - text_.data());
    skip_space();
    add(value);
  }

  void parse_name() {
    const size_t start = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '_') ++at_;
    const std::string name(text_.substr(start, at_ - start));
    if (const auto variable = variables_.find(name); variable != variables_.end()) {
      used_.push_back({start, at_, variable->second});
      skip_space();
      return add(variable->second);
    }
    skip_space();
    if (name == "t") return add(Instruction{nullptr, 0, Input::Time, 0});
    if (has_places_ && is_place(name)) {
      const auto axis = static_cast<int>(Input::X) + (name[0] - 'x');
      return add(Instruction{nullptr, 0, static_cast<Input>(axis), 0});
    }
    if (name == "pi") return add(std::numbers::pi);
    if (name == "e") return add(std::numbers::e);
    const auto* function = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                        [&](const Function& f) { return name == f.name; });
    if (function == std::end(kFunctions)) {
      at_ = start;
      fail_unknown(name);
    }
    parse_arguments(*function);
  }

  void parse_arguments(const Function& function) {
    const size_t start = at_;
    expect("(", "after the function");
    int count = 0;
    do {
      parse_rank(0);
      ++count;
    } while (count < kMaxArguments && accept(","));
    expect(")", "after the values of the function");
    const bool is_table = function.evaluate == interpolate;
    if (count < function.fewest || count > function.most || (is_table && count % 2 == 0)) {
      at_ = start;
      const std::string wanted = is_table ? "x and pairs of x, y" : std::to_string(function.fewest);
      fail(std::string(function.name) + " takes " + wanted +
           (function.most > function.fewest && !is_table ? " or more" : "") + ", found " +
           std::to_string(count));
    }
    add(function.evaluate, count);
  }

  [[noreturn]] void fail_unknown(const std::string& name) const {
    std::string names, functions;
    std::vector<std::string> known;
    for (const auto& [variable, value] : variables_) {
      names += variable + ", ";
      known.push_back(variable);
    }
    for (const Function& f : kFunctions) {
      functions += (functions.empty() ? "" : ", ") + std::string(f.name);
      known.emplace_back(f.name);
    }
    const std::string nearest = name.size() > 1 ? nearest_name(name, known) : std::string();
    if (!nearest.empty()) fail("'" + name + "' is not known; did you mean " + nearest + "?");
    if (has_places_) names += "x, y, z, ";
    fail("'" + name + "' is not known; names are " + names + "t, pi, e, and the functions " + functions);
  }

  std::string_view text_;
  const Variables& variables_;
  bool has_places_;
  std::vector<Use> used_;
  size_t at_ = 0;
  int depth_ = 0;
  std::vector<Instruction> program_;
};

}  // namespace

bool is_formula_name(std::string_view name) {
  return name == "t" || name == "pi" || name == "e" ||
         std::any_of(std::begin(kFunctions), std::end(kFunctions),
                     [&](const Function& f) { return name == f.name; });
}

std::string format_number(double value) {
  char buffer[32];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value).ptr;
  return {buffer, end};
}

Expression::Expression(double constant)
    : text_(format_number(constant)), program_{{nullptr, 0, Input::Number, constant}} {}

Expression::Expression(std::string_view text, const Variables& variables)
    : Expression(text, variables, false) {}

Expression::Expression(std::string_view text, const Variables& variables, bool has_places) : text_(text) {
  Parser parser(text, variables, has_places);
  program_ = parser.parse();
  if (!parser.has_variables()) return;
  text_ = parser.write_numbers();
  const auto is_input = [](const Instruction& i) { return i.input != Input::Number; };
  if (std::any_of(program_.begin(), program_.end(), is_input)) return;
  const double value = evaluate(0);
  if (std::isfinite(value)) *this = Expression(value);
}

bool Expression::depends_on_time() const {
  return std::any_of(program_.begin(), program_.end(),
                     [](const Instruction& i) { return i.input == Input::Time; });
}

bool Expression::uses_place() const {
  return std::any_of(program_.begin(), program_.end(), [](const Instruction& i) {
    return i.input == Input::X || i.input == Input::Y || i.input == Input::Z;
  });
}

bool Expression::is_constant() const {
  return program_.size() == 1 && program_[0].function == nullptr && program_[0].input == Input::Number &&
         text_ == format_number(program_[0].number);
}

double Expression::evaluate_at(double t, const Vec3& place) const {
  const double inputs[] = {0, t, place.x(), place.y(), place.z()};
  std::vector<double> stack;
  for (const Instruction& instruction : program_) {
    if (instruction.function == nullptr) {
      const bool is_number = instruction.input == Input::Number;
      stack.push_back(is_number ? instruction.number : inputs[static_cast<int>(instruction.input)]);
      continue;
    }
    const size_t start = stack.size() - static_cast<size_t>(instruction.arguments);
    const double result = instruction.function(Values(stack).subspan(start));
    stack.resize(start);
    stack.push_back(result);
  }
  return stack.back();
}

}  // namespace marrow
