// The command line: verbs with options and flags, read by CLI11. Only command_line.cpp includes CLI11, which
// takes ten seconds to compile. Help, man page, completion and advice are ours (line/), made from the same
// text.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "marrow/line/verb_text.h"

namespace CLI {  // NOLINT(readability-identifier-naming): theirs
class App;
class Option;
}  // namespace CLI

namespace marrow {

// What runs if a verb is chosen; returns the exit code.
using Action = std::function<int()>;

// Arguments that do not fit together.
struct UsageError : std::runtime_error {
  UsageError(const std::string& option, const std::string& text) : std::runtime_error(option + ": " + text) {}
};

// What a value on the command line must be. `judge` returns an empty text, or what is wrong.
struct Check {
  std::string name;  // for the help
  std::function<std::string(const std::string& text)> judge;
  std::vector<std::string> choices = {};  // all values that there are; empty: too many to list
};

// Finite numbers. CLI11's own ranges let what is not a number pass.
Check between(double low, double high);
Check not_negative();
Check positive();
Check finite();

// Whole numbers.
Check whole(int low, int high);
Check whole_from(int low);
Check whole();

Check one_of(const std::vector<std::string>& names);
Check ip_address();

// One option of a verb, to be refined: verb.add_option("--port", port, "Port").check(whole(0, 65535)).
class Option {
 public:
  Option required() const;
  Option check(const Check& check) const;
  Option excludes(Option other) const;
  Option needs(Option other) const;
  Option type_name(const std::string& name) const;
  Option file(
      const std::vector<std::string>& endings = {}) const;  // a file; shells offer those with these endings
  Option folder() const;
  Option words() const;                  // no file: shells offer none
  Option show_default() const;           // in the help
  Option take_one() const;               // one value each time it is given, not all that follow
  Option take_exactly(int count) const;  // this many values in all
  Option take_groups_of(int count) const;
  Option split_at(char separator) const;
  bool is_given() const;  // after parsing

 private:
  friend class Verb;
  Option(CLI::Option* option, OptionText* text) : option_(option), text_(text) {}

  CLI::Option* option_;
  OptionText* text_;
};

// A verb, or a verb of a verb. Options write to variables that must live until the action ran.
class Verb {
 public:
  Verb add_verb(const std::string& name, const std::string& help) const;
  void require_verb() const;
  // A command that works as it is, and what it does. They end the help.
  Verb add_example(const std::string& command, const std::string& meaning) const;

  Option add_option(const std::string& name, std::string& value, const std::string& help) const;
  Option add_option(const std::string& name, std::vector<std::string>& value, const std::string& help) const;
  Option add_option(const std::string& name, int& value, const std::string& help) const;
  Option add_option(const std::string& name, double& value, const std::string& help) const;
  Option add_option(const std::string& name, std::vector<double>& value, const std::string& help) const;
  Option add_flag(const std::string& name, bool& value, const std::string& help) const;

  // What runs if this verb is chosen.
  void set_action(const Action& action) const;

 private:
  friend class CommandLine;
  Verb(CLI::App* app, VerbText* text, Action* chosen) : app_(app), text_(text), chosen_(chosen) {}
  template <typename Value>
  Option add(const std::string& names, Value& value, const std::string& help, const char* type) const;

  CLI::App* app_;
  VerbText* text_;
  Action* chosen_;
};

class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& help, const std::string& version);
  ~CommandLine();

  // Verbs added from now on stand under this title in the overview.
  Verb group(const std::string& title);
  const VerbText& text() const { return text_; }
  void add_example(const std::string& command, const std::string& meaning);

  // The action of the chosen verb. Help, and what is wrong with the arguments, is printed here; the action
  // then does nothing but return kExitOk or kExitUsage.
  Action parse(int argc, char** argv);

 private:
  Action answer_names(const std::vector<std::string>& words) const;

  VerbText text_;
  std::string version_;
  std::unique_ptr<CLI::App> app_;
  Action chosen_;
};

}  // namespace marrow
