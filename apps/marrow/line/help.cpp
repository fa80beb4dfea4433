#include "marrow/line/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace marrow {
namespace {

constexpr size_t kWidth = 80;       // of a terminal
constexpr size_t kTitleWidth = 26;  // a longer title has a line of its own

// Characters, not bytes.
size_t count_letters(const std::string& text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// "  title    text that goes on
//             in the next line"
std::string format_entry(const std::string& title, const std::string& text) {
  std::string line = "  " + title;
  const size_t indent = kTitleWidth + 2;
  std::string result;
  if (count_letters(line) + 2 > indent) {
    result = line + "\n";
    line.clear();
  }
  line += std::string(indent - count_letters(line), ' ');
  std::istringstream words(text);
  bool is_first = true;
  for (std::string word; words >> word; is_first = false) {
    if (!is_first && count_letters(line) + 1 + count_letters(word) > kWidth) {
      result += line + "\n";
      line = std::string(indent, ' ');
      is_first = true;
    }
    line += (is_first ? "" : " ") + word;
  }
  return result + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

// Examples say "marrow"; `program` is how it is called here.
std::string format_examples(const std::vector<Example>& examples, const std::string& program) {
  constexpr std::string_view kName = "marrow ";
  std::string text;
  for (const Example& example : examples) {
    std::string command = example.command;
    if (command.starts_with(kName)) command.replace(0, kName.size() - 1, program);
    text += fmt::format("  {}\n      {}\n", command, example.meaning);
  }
  return text;
}

std::vector<std::string> list_groups(const VerbText& root) {
  std::vector<std::string> groups;
  for (const VerbText& verb : root.verbs) {
    if (std::find(groups.begin(), groups.end(), verb.group) == groups.end()) groups.push_back(verb.group);
  }
  return groups;
}

OptionText make_help_option() {
  OptionText option;
  option.names = {"-h", "--help"};
  option.help = "Print this help";
  return option;
}

std::string describe_option(const OptionText& option) {
  std::string text = option.help;
  if (option.completes == Completes::Choices && option.value.find('|') == std::string::npos) {
    text += fmt::format(": {}", fmt::join(option.choices, ", "));
  }
  if (!option.default_value.empty()) text += fmt::format(" [default: {}]", option.default_value);
  if (option.is_required && !option.names.empty()) text += " (required)";
  return text;
}

// ---- roff -------------------------------------------------------------------------------------------------

// A letter that is not ASCII, from its bytes in UTF-8: "\[u2026]" for "…".
std::string escape_letter(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  unsigned code = first & (0xFFU >> (bytes.size() + 1));
  for (const char c : bytes.substr(1)) code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  return fmt::format("\\[u{:04X}]", code);
}

// The text as roff prints it: dashes stay dashes, and no line is taken for a command.
std::string escape_roff(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((static_cast<unsigned char>(c) & 0x80U) != 0) {
      size_t count = 1;
      while (i + count < text.size() && (static_cast<unsigned char>(text[i + count]) & 0xC0U) == 0x80U)
        ++count;
      result += escape_letter(std::string_view(text).substr(i, count));
      i += count - 1;
    } else if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else if (c == '.' && (result.empty() || result.back() == '\n')) {
      result += "\\&.";
    } else {
      result += c;
    }
  }
  return result;
}

std::string format_roff_options(const VerbText& verb) {
  std::string text;
  for (const OptionText& option : verb.options) {
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escape_roff(option.title()),
                        escape_roff(describe_option(option)));
  }
  return text;
}

// A verb and the verbs that it has.
void add_roff_verb(std::vector<const VerbText*> verbs, std::string& text) {
  const VerbText& verb = *verbs.back();
  text += fmt::format(".SS \"{}\"\n{}.\n", escape_roff(join_names(verbs)), escape_roff(verb.help));
  text += fmt::format(".PP\n\\fB{}\\fR\n", escape_roff(format_usage(verbs)));
  text += format_roff_options(verb);
  for (const Example& example : verb.examples) {
    text += fmt::format(".PP\n{}:\n.PP\n.RS\n.nf\n{}\n.fi\n.RE\n", escape_roff(example.meaning),
                        escape_roff(example.command));
  }
  for (const VerbText& inner : verb.verbs) {
    verbs.push_back(&inner);
    add_roff_verb(verbs, text);
    verbs.pop_back();
  }
}

constexpr std::pair<int, const char*> kExitCodes[] = {
    {0, "done"},
    {1, "the command line is wrong"},
    {2, "a scene, mesh or folder is wrong; the message says where, what, and what to do"},
    {3, "a step could not be solved, or memory ran out"},
    {4, "results could not be written"},
    {5, "a check found intersections, inverted or flat tets, or points that are not finite"},
    {6, "collision detection missed a contact, or certificates changed a result"},
    {130, "stopped by Ctrl-C or kill; marrow run continues with --resume"}};

}  // namespace

std::string format_usage(const std::vector<const VerbText*>& verbs) {
  const VerbText& verb = *verbs.back();
  std::string text = join_names(verbs);
  if (!verb.verbs.empty()) return text + (verbs.size() == 1 ? " COMMAND …" : " KIND …");
  const std::vector<const OptionText*> arguments = verb.arguments();
  if (verb.options.size() > arguments.size()) text += " [options]";
  for (const OptionText* argument : arguments) {
    text += argument->is_required ? " " + argument->title() : " [" + argument->title() + "]";
  }
  for (const OptionText& option : verb.options) {
    if (option.is_required && !option.names.empty())
      text += fmt::format(" {} {}", option.names.front(), option.value);
  }
  return text;
}

std::string format_overview(const VerbText& root) {
  std::string text = root.help + "\n\nUsage: " + format_usage({&root}) + "\n";
  for (const std::string& group : list_groups(root)) {
    text += "\n" + group + ":\n";
    for (const VerbText& verb : root.verbs) {
      if (verb.group == group) text += fmt::format("  {:<13}{}\n", verb.name, verb.help);
    }
  }
  text += "\nTo begin:\n" + format_examples(root.examples, root.name);
  return text + fmt::format("\n{0} help COMMAND explains a command, {0} --version says what was built.\n",
                            root.name);
}

std::string format_help(const std::vector<const VerbText*>& verbs) {
  const VerbText& verb = *verbs.back();
  if (verbs.size() == 1) return format_overview(verb);
  std::string text = fmt::format("{}\n\nUsage: {}\n\n", verb.help, format_usage(verbs));
  for (const VerbText& inner : verb.verbs) text += format_entry(inner.name, inner.help);
  const std::vector<const OptionText*> arguments = verb.arguments();
  for (const OptionText* argument : arguments)
    text += format_entry(argument->title(), describe_option(*argument));
  if (!arguments.empty() || !verb.verbs.empty()) text += "\n";
  text += "Options:\n";
  for (const OptionText& option : verb.options) {
    if (!option.names.empty()) text += format_entry(option.title(), describe_option(option));
  }
  const OptionText help = make_help_option();
  text += format_entry(help.title(), help.help);
  if (!verb.examples.empty()) text += "\nExamples:\n" + format_examples(verb.examples, verbs.front()->name);
  return text;
}

std::string format_man_page(const VerbText& root, const std::string& version) {
  std::string text = fmt::format(".TH MARROW 1 \"\" \"marrow {}\" \"User Commands\"\n", escape_roff(version));
  text += ".nh\n.ad l\n.SH NAME\nmarrow \\- simulate bodies that touch but never intersect\n";
  text += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR\n", escape_roff(format_usage({&root})));
  text += fmt::format(".SH DESCRIPTION\n{}\n", escape_roff(root.help));
  text += ".SH COMMANDS\n";
  for (const VerbText& verb : root.verbs) add_roff_verb({&root, &verb}, text);
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : kExitCodes)
    text += fmt::format(".TP\n{}\n{}\n", code, escape_roff(meaning));
  text += ".SH ENVIRONMENT\n.TP\n\\fBMARROW_BROWSER\\fR\nChromium or Chrome, for marrow render.\n";
  return text;
}

}  // namespace marrow
