#include "marrow/help_verbs.h"

#include <fmt/format.h>

#include <string_view>

#include "marrow/line/completion.h"
#include "marrow/line/help.h"
#include "marrow/verbs.h"

namespace marrow {
namespace {

struct HelpArguments {
  std::vector<std::string> verbs;
  bool is_man_page = false;
};

int print_help(const HelpArguments& arguments, const VerbText& root) {
  if (arguments.is_man_page) {
    fmt::print("{}", format_man_page(root, MARROW_VERSION));
    return kExitOk;
  }
  const WordScan scan = scan_words(root, arguments.verbs);
  if (scan.problem.empty() && scan.argument_count == 0) {
    fmt::print("{}", format_help(scan.verbs));
    return kExitOk;
  }
  fmt::print(stderr, "{}: {}\n  {}\n", root.name,
             scan.problem.empty() ? "too many commands for one help" : scan.problem,
             scan.problem.empty() ? fmt::format("{} --help lists all options.", join_names(scan.verbs))
                                  : scan.advice);
  return kExitUsage;
}

}  // namespace

void add_help_verbs(Verb root, const VerbText& text) {
  auto arguments = std::make_shared<HelpArguments>();
  const Verb help = root.add_verb("help", "Explain a command");
  help.add_option("command", arguments->verbs, "The command; none: the overview")
      .type_name("COMMAND")
      .words();
  help.add_flag("--man", arguments->is_man_page, "Print the man page instead (roff)");
  help.add_example("marrow help run", "explains one command");
  help.add_example("marrow help prepare medial", "explains one kind of prepare");
  help.set_action([arguments, &text] { return print_help(*arguments, text); });

  auto shell = std::make_shared<std::string>();
  const Verb completion = root.add_verb("completion", "Print a script that completes commands in a shell");
  completion.add_option("shell", *shell, "bash, zsh or fish")
      .check(one_of({"bash", "zsh", "fish"}))
      .required();
  completion.add_example("source <(marrow completion bash)", "completes commands in this shell from now on");
  completion.set_action([shell] {
    fmt::print("{}", format_completion_script(*shell));
    return static_cast<int>(kExitOk);
  });
}

bool answer_shell(const VerbText& text, int argc, char** argv) {
  const std::vector<std::string_view> words(argv, argv + argc);
  if (words.size() < 3 || words[1] != "completion" || words[2] != "--words") return false;
  fmt::print("{}", list_completions(text, std::vector<std::string>(words.begin() + 3, words.end())));
  return true;
}

}  // namespace marrow
