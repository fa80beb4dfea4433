#include "marrow/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <limits>
#include <sstream>

#include "core/error.h"
#include "marrow/line/help.h"
#include "marrow/verbs.h"

namespace marrow {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr size_t kLongestChoices = 32;  // letters of a list that still stands where the value's name stands

template <typename Number>
Check check_number(const std::string& name, Number low, Number high) {
  return {name, [name, low, high](const std::string& text) -> std::string {
            Number value = 0;
            if (!text.empty() && CLI::detail::lexical_cast(text, value) && value >= low && value <= high)
              return {};
            return fmt::format("'{}' is not a {}", text, name);
          }};
}

// The words after the program's name. CLI11 takes "-.5" for an option, "-0.5" for a number.
std::vector<std::string> read_arguments(int argc, char** argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  for (std::string& text : arguments) {
    if (text.size() > 2 && text.starts_with("-.") && std::isdigit(static_cast<unsigned char>(text[2])) != 0)
      text.insert(1, "0");
  }
  return arguments;
}

// "-o,--output" as names; the name of an argument, "scene", as what its value is called.
OptionText make_text(const std::string& names, const std::string& help, const std::string& type) {
  OptionText text;
  text.help = help;
  text.value = type;
  text.value_count = type.empty() ? 0 : 1;
  if (names.starts_with("-")) {
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ',');) text.names.push_back(name);
    return text;
  }
  text.value = names;
  std::transform(names.begin(), names.end(), text.value.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  text.completes = Completes::Files;
  return text;
}

// What CLI11 says "A excludes B" to, in words of ours.
std::string replace_words(std::string text, const std::string& from, const std::string& to,
                          const std::string& end) {
  const size_t at = text.find(from);
  if (at == std::string::npos) return text;
  return text.replace(at, from.size(), to) + end;
}

// The name before the colon, as of "--anchor: 6 required FLOAT missing".
std::string describe_mismatch(const VerbText& verb, const std::string& said) {
  const OptionText* option = verb.find_option(said.substr(0, said.find(':')));
  if (option == nullptr || option->value.empty()) return said;
  return fmt::format("{} wants {}", said.substr(0, said.find(':')), option->value);
}

// The first thing that must be given and is not.
std::string describe_missing(const VerbText& verb, const CLI::App& app) {
  size_t at = 0;
  const std::vector<const CLI::Option*> options = app.get_options();
  for (const OptionText& text : verb.options) {
    while (at < options.size() && options[at]->get_name() == "--help") ++at;
    if (at < options.size() && text.is_required && options[at]->count() == 0) {
      const std::string name = text.names.empty() ? text.value : text.names.back() + " " + text.value;
      return fmt::format("{} is missing: {}", name, text.help);
    }
    ++at;
  }
  return {};
}

// What is wrong with the values, in one sentence.
std::string describe_error(const CLI::ParseError& error, const VerbText& verb, const CLI::App& app) {
  const std::string said = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    if (std::string missing = describe_missing(verb, app); !missing.empty()) return missing;
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr)
    return replace_words(said, " excludes ", " and ", " exclude each other");
  if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr)
    return replace_words(said, " requires ", " needs ", "");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return describe_mismatch(verb, said);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> rest = app.remaining(true);
    if (!rest.empty()) return fmt::format("\"{}\" is one argument too many", rest.front());
  }
  return said;
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
  return {list,
          [names, list](const std::string& text) -> std::string {
            if (std::find(names.begin(), names.end(), text) != names.end()) return {};
            const std::string near = nearest_name(text, names);
            return fmt::format("'{}' is not one of {}{}", text, list,
                               near.empty() ? "" : fmt::format(". Did you mean {}?", near));
          },
          names};
}

Check ip_address() {
  return {"IPv4 address", [](const std::string& text) { return CLI::ValidIPV4(text); }};
}

Option Option::required() const {
  text_->is_required = true;
  option_->required();
  return *this;
}

Option Option::check(const Check& check) const {
  option_->check(CLI::Validator(check.judge, check.name));
  if (!check.choices.empty()) {
    text_->completes = Completes::Choices;
    text_->choices = check.choices;
    const std::string list = fmt::format("{}", fmt::join(check.choices, "|"));
    text_->value = list.size() < kLongestChoices ? list : "NAME";
  }
  return *this;
}

Option Option::excludes(Option other) const {
  option_->excludes(other.option_);
  return *this;
}

Option Option::needs(Option other) const {
  option_->needs(other.option_);
  return *this;
}

Option Option::type_name(const std::string& name) const {
  if (text_->completes != Completes::Choices) text_->value = name;
  if (name == "FILE") text_->completes = Completes::Files;
  return *this;
}

Option Option::file(const std::vector<std::string>& endings) const {
  if (!text_->names.empty()) text_->value = "FILE";
  text_->completes = Completes::Files;
  text_->endings = endings;
  return *this;
}

Option Option::folder() const {
  if (!text_->names.empty()) text_->value = "FOLDER";
  text_->completes = Completes::Folders;
  return *this;
}

Option Option::words() const {
  text_->completes = Completes::Nothing;
  return *this;
}

Option Option::show_default() const {
  option_->capture_default_str();
  text_->default_value = option_->get_default_str();
  return *this;
}

Option Option::take_one() const {
  option_->allow_extra_args(false);
  return *this;
}

Option Option::take_exactly(int count) const {
  option_->expected(count);
  text_->value_count = count;
  return *this;
}

Option Option::take_groups_of(int count) const {
  option_->type_size(count);
  text_->value_count = count;
  return *this;
}

Option Option::split_at(char separator) const {
  option_->delimiter(separator);
  return *this;
}

bool Option::is_given() const { return option_->count() > 0; }

Verb Verb::add_verb(const std::string& name, const std::string& help) const {
  VerbText& text = text_->verbs.emplace_back();
  text.name = name;
  text.help = help;
  text.group = text_->group;
  return {app_->add_subcommand(name, help), &text, chosen_};
}

void Verb::require_verb() const { app_->require_subcommand(1); }

Verb Verb::add_example(const std::string& command, const std::string& meaning) const {
  text_->examples.push_back({command, meaning});
  return *this;
}

template <typename Value>
Option Verb::add(const std::string& names, Value& value, const std::string& help, const char* type) const {
  OptionText& text = text_->options.emplace_back(make_text(names, help, type));
  return {app_->add_option(names, value, help), &text};
}

Option Verb::add_option(const std::string& name, std::string& value, const std::string& help) const {
  return add(name, value, help, "TEXT");
}
Option Verb::add_option(const std::string& name, std::vector<std::string>& value,
                        const std::string& help) const {
  const Option option = add(name, value, help, "TEXT");
  option.text_->is_repeated = option.text_->names.empty();
  return option;
}
Option Verb::add_option(const std::string& name, int& value, const std::string& help) const {
  return add(name, value, help, "N");
}
Option Verb::add_option(const std::string& name, double& value, const std::string& help) const {
  return add(name, value, help, "X");
}
Option Verb::add_option(const std::string& name, std::vector<double>& value, const std::string& help) const {
  return add(name, value, help, "X");
}
Option Verb::add_flag(const std::string& name, bool& value, const std::string& help) const {
  OptionText& text = text_->options.emplace_back(make_text(name, help, ""));
  return {app_->add_flag(name, value, help), &text};
}

void Verb::set_action(const Action& action) const {
  app_->callback([chosen = chosen_, action] { *chosen = action; });
}

CommandLine::CommandLine(const std::string& name, const std::string& help, const std::string& version)
    : version_(version), app_(std::make_unique<CLI::App>(help, name)) {
  text_.name = name;
  text_.help = help;
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Verb CommandLine::group(const std::string& title) {
  text_.group = title;
  return {app_.get(), &text_, &chosen_};
}

void CommandLine::add_example(const std::string& command, const std::string& meaning) {
  text_.examples.push_back({command, meaning});
}

// Help and version, and names that are unknown; no action if the words are in order so far.
Action CommandLine::answer_names(const std::vector<std::string>& words) const {
  const WordScan scan = scan_words(text_, words);
  if (scan.is_help_wanted || scan.is_version_wanted) {
    fmt::print("{}", scan.is_help_wanted ? format_help(scan.verbs) : version_ + "\n");
    return [] { return static_cast<int>(kExitOk); };
  }
  if (!scan.problem.empty()) {
    fmt::print(stderr, "{}: {}\n  {}\n", text_.name, scan.problem, scan.advice);
    return [] { return static_cast<int>(kExitUsage); };
  }
  if (!scan.verb().verbs.empty()) {  // a verb is missing
    fmt::print(words.empty() ? stdout : stderr, "{}", format_help(scan.verbs));
    return [] { return static_cast<int>(kExitUsage); };
  }
  return {};
}

Action CommandLine::parse(int argc, char** argv) {
  const std::vector<std::string> words = read_arguments(argc, argv);
  if (Action answer = answer_names(words)) return answer;
  try {
    app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));  // as CLI11 wants them
  } catch (const CLI::ParseError& error) {
    const WordScan scan = scan_words(text_, words);
    const CLI::App* app = app_.get();
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    const std::string path = join_names(scan.verbs);
    fmt::print(stderr, "{}: {}\n  Usage: {}\n  {} --help lists all options.\n", path,
               describe_error(error, scan.verb(), *app), format_usage(scan.verbs), path);
    return [] { return static_cast<int>(kExitUsage); };
  }
  return chosen_;
}

}  // namespace marrow
