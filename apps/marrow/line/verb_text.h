// What verbs and options are called and what they mean: the one text from which help, man page and shell
// completion are made, and with which the words of a command line are compared
// (docs/decisions/0031-one-text-of-the-options.md).
#pragma once

#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace marrow {

enum class Completes { Nothing, Choices, Files, Folders };

struct OptionText {
  std::vector<std::string> names;  // "-o", "--output"; none: an argument that is known by its place
  std::string value;               // "FILE"; empty: a flag
  std::string help;
  std::string default_value;  // empty: not shown
  Completes completes = Completes::Nothing;
  std::vector<std::string> choices;
  std::vector<std::string> endings;  // of files, with the dot; none: any file
  bool is_required = false;
  bool is_repeated = false;  // an argument that may be given many times
  int value_count = 0;       // the words that follow the name

  bool has_name(std::string_view name) const;
  // "-o, --output FOLDER", "SCENE".
  std::string title() const;
};

struct Example {
  std::string command, meaning;
};

struct VerbText {
  std::string name;   // "run"; of the root the program's name
  std::string help;   // one line
  std::string group;  // under which the overview lists it
  std::list<OptionText> options;
  std::vector<Example> examples;
  std::list<VerbText> verbs;

  const OptionText* find_option(std::string_view wanted) const;
  const VerbText* find_verb(std::string_view wanted) const;
  // Those that are known by their place, in order.
  std::vector<const OptionText*> arguments() const;
};

// What a list of words says, as far as names go.
struct WordScan {
  std::vector<const VerbText*> verbs;  // the root and the verbs chosen
  const OptionText* open = nullptr;    // its value is the next word
  int argument_count = 0;              // words that are neither verbs nor options nor their values
  bool is_help_wanted = false, is_version_wanted = false;
  std::string problem, advice;  // empty: all names are known

  const VerbText& verb() const { return *verbs.back(); }
};

WordScan scan_words(const VerbText& root, const std::vector<std::string>& words);

// "marrow prepare medial".
std::string join_names(const std::vector<const VerbText*>& verbs);

}  // namespace marrow
