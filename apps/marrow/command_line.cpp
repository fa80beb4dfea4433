#include "marrow/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>

#include "marrow/verbs.h"

namespace marrow {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

template <typename Number>
Check check_number(const std::string& name, Number low, Number high) {
  return {name, [name, low, high](const std::string& text) -> std::string {
            Number value = 0;
            if (!text.empty() && CLI::detail::lexical_cast(text, value) && value >= low && value <= high)
              return {};
            return fmt::format("'{}' is not a {}", text, name);
          }};
}

// The arguments, the last one first as CLI11 wants them. It takes "-.5" for an option, "-0.5" for a number.
std::vector<std::string> read_arguments(int argc, char** argv) {
  std::vector<std::string> arguments(std::make_reverse_iterator(argv + argc),
                                     std::make_reverse_iterator(argv + std::min(argc, 1)));
  for (std::string& text : arguments) {
    if (text.size() > 2 && text.starts_with("-.") && std::isdigit(static_cast<unsigned char>(text[2])) != 0)
      text.insert(1, "0");
  }
  return arguments;
}

}  // namespace

Check between(double low, double high) {
  return check_number(fmt::format("number from {:g} to {:g}", low, high), low, high);
}

Check not_negative() { return check_number<double>("number that is 0 or above", 0, kLargest); }

Check positive() {
  return check_number("number above 0", std::numeric_limits<double>::denorm_min(), kLargest);
}

Check finite() { return check_number("finite number", -kLargest, kLargest); }

Check whole(int low, int high) {
  return check_number(fmt::format("whole number from {} to {}", low, high), low, high);
}

Check whole_from(int low) {
  return check_number(fmt::format("whole number from {}", low), low, std::numeric_limits<int>::max());
}

Check whole() {
  return check_number("whole number", std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
}

Check one_of(const std::vector<std::string>& names) {
  const std::string list = fmt::format("{}", fmt::join(names, ", "));
  return {list, [names, list](const std::string& text) -> std::string {
            if (std::find(names.begin(), names.end(), text) != names.end()) return {};
            return fmt::format("'{}' is not one of {}", text, list);
          }};
}

Check ip_address() {
  return {"IPv4 address", [](const std::string& text) { return CLI::ValidIPV4(text); }};
}

Option Option::required() const { return Option(option_->required()); }
Option Option::check(const Check& check) const {
  return Option(option_->check(CLI::Validator(check.judge, check.name)));
}
Option Option::excludes(Option other) const { return Option(option_->excludes(other.option_)); }
Option Option::needs(Option other) const { return Option(option_->needs(other.option_)); }
Option Option::type_name(const std::string& name) const { return Option(option_->type_name(name)); }
Option Option::show_default() const { return Option(option_->capture_default_str()); }
Option Option::take_one() const { return Option(option_->allow_extra_args(false)); }
Option Option::take_exactly(int count) const { return Option(option_->expected(count)); }
Option Option::take_groups_of(int count) const { return Option(option_->type_size(count)); }
Option Option::split_at(char separator) const { return Option(option_->delimiter(separator)); }
bool Option::is_given() const { return option_->count() > 0; }

Verb Verb::add_verb(const std::string& name, const std::string& help) const {
  return {app_->add_subcommand(name, help), chosen_};
}

void Verb::require_verb() const { app_->require_subcommand(1); }

Option Verb::add_option(const std::string& name, std::string& value, const std::string& help) const {
  return Option(app_->add_option(name, value, help));
}
Option Verb::add_option(const std::string& name, std::vector<std::string>& value,
                        const std::string& help) const {
  return Option(app_->add_option(name, value, help));
}
Option Verb::add_option(const std::string& name, int& value, const std::string& help) const {
  return Option(app_->add_option(name, value, help));
}
Option Verb::add_option(const std::string& name, double& value, const std::string& help) const {
  return Option(app_->add_option(name, value, help));
}
Option Verb::add_option(const std::string& name, std::vector<double>& value, const std::string& help) const {
  return Option(app_->add_option(name, value, help));
}
Option Verb::add_flag(const std::string& name, bool& value, const std::string& help) const {
  return Option(app_->add_flag(name, value, help));
}

void Verb::set_action(const Action& action) const {
  app_->callback([chosen = chosen_, action] { *chosen = action; });
}

CommandLine::CommandLine(const std::string& name, const std::string& help, const std::string& version,
                         const std::string& footer)
    : app_(std::make_unique<CLI::App>(help, name)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->footer(footer);
}

CommandLine::~CommandLine() = default;

Verb CommandLine::root() { return {app_.get(), &chosen_}; }

std::vector<std::string> CommandLine::verb_names() const {
  std::vector<std::string> names;
  for (const CLI::App* verb : app_->get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

Action CommandLine::parse(int argc, char** argv) {
  try {
    app_->parse(read_arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    const int code = app_->exit(error) == 0 ? kExitOk : kExitUsage;
    return [code] { return code; };
  }
  return chosen_;
}

}  // namespace marrow
