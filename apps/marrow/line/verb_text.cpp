#include "marrow/line/verb_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "core/error.h"

namespace marrow {
namespace {

// What others call it, and what it is called here.
constexpr std::pair<std::string_view, std::string_view> kOtherVerbs[] = {{"simulate", "run"},
                                                                         {"sim", "run"},
                                                                         {"start", "run"},
                                                                         {"resume", "run"},
                                                                         {"show", "view"},
                                                                         {"open", "view"},
                                                                         {"play", "view"},
                                                                         {"viewer", "view"},
                                                                         {"picture", "render"},
                                                                         {"image", "render"},
                                                                         {"movie", "render"},
                                                                         {"film", "render"},
                                                                         {"plot", "render"},
                                                                         {"validate", "check"},
                                                                         {"verify", "check"},
                                                                         {"test", "check"},
                                                                         {"lint", "check"},
                                                                         {"describe", "info"},
                                                                         {"stat", "info"},
                                                                         {"status", "info"},
                                                                         {"import", "convert"},
                                                                         {"export", "convert"},
                                                                         {"tetrahedralize", "prepare"},
                                                                         {"mesh", "prepare"},
                                                                         {"schema", "reference"},
                                                                         {"docs", "reference"},
                                                                         {"man", "help"}};
constexpr std::pair<std::string_view, std::string_view> kOtherOptions[] = {
    {"--out", "--output"},      {"--dir", "--output"},      {"--folder", "--output"},
    {"--force", "--overwrite"}, {"--continue", "--resume"}, {"--restart", "--overwrite"},
    {"--jobs", "--threads"},    {"-j", "--threads"},        {"-n", "--steps"},
    {"-t", "--threads"},        {"-f", "--overwrite"},      {"--dt", "--set"},
    {"--duration", "--set"},    {"--resolution", "--size"}, {"--field", "--color"},
    {"--framerate", "--fps"}};

template <typename Pairs>
std::string translate(const Pairs& pairs, std::string_view word) {
  for (const auto& [other, ours] : pairs) {
    if (other == word) return std::string(ours);
  }
  return {};
}

// The name that was meant: of this meaning elsewhere, the only one that begins so, or one spelt nearly so.
template <typename Pairs>
std::string guess(const Pairs& pairs, const std::string& word, const std::vector<std::string>& names) {
  const std::string same = translate(pairs, word);
  if (std::count(names.begin(), names.end(), same) > 0) return same;
  std::vector<std::string> beginning;
  for (const std::string& name : names) {
    if (name.starts_with(word)) beginning.push_back(name);
  }
  if (beginning.size() == 1) return beginning.front();
  return nearest_name(word, names);
}

// Without the dashes, which all options share.
std::string guess_option(const VerbText& verb, const std::string& word) {
  const std::string same = translate(kOtherOptions, word);
  if (verb.find_option(same) != nullptr) return same;
  std::vector<std::string> names = {"help"};
  for (const OptionText& option : verb.options) {
    for (const std::string& name : option.names) {
      if (name.starts_with("--")) names.push_back(name.substr(2));
    }
  }
  const std::string bare = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  const std::string found = guess(kOtherVerbs, bare, names);
  return found.empty() ? found : "--" + found;
}

// Another verb that has the option; empty if none.
std::string find_owner(const VerbText& verb, const std::string& path, const std::string& option) {
  for (const VerbText& other : verb.verbs) {
    const std::string name = path + " " + other.name;
    if (other.find_option(option) != nullptr) return name;
    if (std::string inner = find_owner(other, name, option); !inner.empty()) return inner;
  }
  return {};
}

void refuse_option(const std::string& word, WordScan& scan) {
  const std::string path = join_names(scan.verbs);
  scan.problem = fmt::format("{} is no option of {}", word, path);
  const std::string near = guess_option(scan.verb(), word);
  const std::string owner = find_owner(*scan.verbs.front(), scan.verbs.front()->name, word);
  if (!near.empty()) {
    scan.advice = fmt::format("Did you mean {}? ", near);
  } else if (!owner.empty()) {
    scan.advice = fmt::format("It is one of {}. ", owner);
  }
  scan.advice += fmt::format("{} --help lists all options.", path);
}

void refuse_verb(const std::string& word, WordScan& scan) {
  const std::string path = join_names(scan.verbs);
  scan.problem = fmt::format("unknown command \"{}\"", word);
  std::vector<std::string> names;
  for (const VerbText& verb : scan.verb().verbs) names.push_back(verb.name);
  std::error_code ignored;
  const std::filesystem::path file(word);
  if (scan.verbs.size() == 1 && std::filesystem::exists(file, ignored)) {
    const bool is_scene = file.extension() == ".json" || file.extension() == ".txt";
    const char* verb = is_scene ? "run" : std::filesystem::is_directory(file, ignored) ? "view" : "info";
    scan.problem += ", which is a file or a folder";
    scan.advice = fmt::format("Say what to do with it: {} {} {}. ", path, verb, word);
  } else if (const std::string near = guess(kOtherVerbs, word, names); !near.empty()) {
    scan.advice = fmt::format("Did you mean {}? ", near);
  }
  scan.advice += fmt::format("{} --help lists all commands.", path);
}

bool is_number(const std::string& word) {
  const auto at = [&](size_t i) {
    return i < word.size() && std::isdigit(static_cast<unsigned char>(word[i])) != 0;
  };
  return at(1) || (word.size() > 2 && word[1] == '.' && at(2));
}

// An option and how many of the next words are its values; nothing if the word is no option.
bool scan_option(const std::string& word, WordScan& scan, int& values) {
  if (word.size() < 2 || word[0] != '-' || is_number(word)) return false;
  const bool is_long = word[1] == '-';
  const size_t equals = is_long ? word.find('=') : std::string::npos;
  const std::string name = is_long ? word.substr(0, equals) : word;
  if (name == "-h" || name == "--help") {
    scan.is_help_wanted = true;
  } else if (name == "--version" && scan.verbs.size() == 1) {
    scan.is_version_wanted = true;
  } else if (const OptionText* option = scan.verb().find_option(name)) {
    if (option->value_count > 0 && equals == std::string::npos) {
      scan.open = option;
      values = option->value_count;
    }
  } else if (is_long || scan.verb().find_option(name.substr(0, 2)) == nullptr) {  // "-oout" is an option, too
    refuse_option(name, scan);
  }
  return true;
}

}  // namespace

bool OptionText::has_name(std::string_view name) const {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string OptionText::title() const {
  if (names.empty()) return value + (is_repeated ? "…" : "");
  return fmt::format("{}{}{}", fmt::join(names, ", "), value.empty() ? "" : " ", value);
}

const OptionText* VerbText::find_option(std::string_view wanted) const {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const OptionText& o) { return o.has_name(wanted); });
  return found == options.end() ? nullptr : &*found;
}

const VerbText* VerbText::find_verb(std::string_view wanted) const {
  const auto found =
      std::find_if(verbs.begin(), verbs.end(), [&](const VerbText& v) { return v.name == wanted; });
  return found == verbs.end() ? nullptr : &*found;
}

std::vector<const OptionText*> VerbText::arguments() const {
  std::vector<const OptionText*> result;
  for (const OptionText& option : options) {
    if (option.names.empty()) result.push_back(&option);
  }
  return result;
}

WordScan scan_words(const VerbText& root, const std::vector<std::string>& words) {
  WordScan scan;
  scan.verbs = {&root};
  bool is_all_arguments = false;  // after "--"
  int values = 0;
  for (const std::string& word : words) {
    if (values > 0) {
      if (--values == 0) scan.open = nullptr;
      continue;
    }
    if (!is_all_arguments && word == "--") {
      is_all_arguments = true;
    } else if (is_all_arguments || !scan_option(word, scan, values)) {
      const VerbText* verb = scan.verb().find_verb(word);
      if (verb != nullptr) {
        scan.verbs.push_back(verb);
      } else if (!scan.verb().verbs.empty()) {
        refuse_verb(word, scan);
      } else {
        ++scan.argument_count;
      }
    }
    if (!scan.problem.empty() || scan.is_help_wanted) return scan;
  }
  return scan;
}

std::string join_names(const std::vector<const VerbText*>& verbs) {
  std::string path;
  for (const VerbText* verb : verbs) path += (path.empty() ? "" : " ") + verb->name;
  return path;
}

}  // namespace marrow
