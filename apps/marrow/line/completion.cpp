#include "marrow/line/completion.h"

#include <fmt/format.h>

namespace marrow {
namespace {

// bash has no descriptions. Folders are offered among files, so that one can walk into them.
constexpr const char* kBash = R"shell(# Completion of marrow for bash, made by `marrow completion bash`.
_marrow() {
  local word=${COMP_WORDS[COMP_CWORD]} line endings ending
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :folders)
        compopt -o filenames
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$word") ;;
      :files*)
        compopt -o filenames
        read -r -a endings <<<"${line#:files}"
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
          if ((${#endings[@]} == 0)); then compgen -f -- "$word"; else compgen -d -- "$word"; fi
          for ending in "${endings[@]}"; do compgen -f -X "!*$ending" -- "$word"; done) ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${COMP_WORDS[0]}" completion --words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _marrow marrow
)shell";

constexpr const char* kZsh = R"shell(#compdef marrow
# Completion of marrow for zsh, made by `marrow completion zsh`.
_marrow() {
  local line name meaning
  local -a options others endings
  for line in "${(@f)$("${words[1]}" completion --words "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :folders) _path_files -/ ;;
      :files) _files ;;
      :files*)
        endings=(${=line#:files})
        _files -g "*(${(j:|:)endings})" ;;
      *)
        name=${line%%$'\t'*} meaning=${line#*$'\t'}
        line=${name//:/\\:}${meaning:+:$meaning}
        if [[ $name == -* ]]; then options+=("$line"); else others+=("$line"); fi ;;
    esac
  done
  (( ${#options} )) && _describe -o option options
  (( ${#others} )) && _describe word others
}
if [[ $funcstack[1] == _marrow ]]; then _marrow "$@"; else compdef _marrow marrow; fi
)shell";

constexpr const char* kFish = R"shell(# Completion of marrow for fish, made by `marrow completion fish`.
function __marrow_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l word (commandline -ct)
    for line in ($words[1] completion --words $words[2..-1] 2>/dev/null)
        switch $line
            case ':folders'
                __fish_complete_directories $word
            case ':files'
                __fish_complete_path $word
            case ':files *'
                for ending in (string split ' ' (string replace ':files ' '' -- $line))
                    __fish_complete_suffix $word $ending
                end
            case '*'
                echo $line
        end
    end
end
complete -c marrow -f -a '(__marrow_complete)'
)shell";

void add_candidate(const std::string& name, const std::string& meaning, const std::string& begun,
                   std::string& text) {
  if (name.starts_with(begun)) text += fmt::format("{}\t{}\n", name, meaning);
}

void add_values(const OptionText& option, const std::string& begun, std::string& text) {
  switch (option.completes) {
    case Completes::Nothing:
      return;
    case Completes::Choices:
      for (const std::string& choice : option.choices) add_candidate(choice, "", begun, text);
      return;
    case Completes::Files:
      text += fmt::format(":files{}{}\n", option.endings.empty() ? "" : " ", fmt::join(option.endings, " "));
      return;
    case Completes::Folders:
      text += ":folders\n";
      return;
  }
}

void add_option_names(const WordScan& scan, const std::string& begun, std::string& text) {
  for (const OptionText& option : scan.verb().options) {
    for (const std::string& name : option.names) {
      if (name.starts_with("--")) add_candidate(name, option.help, begun, text);
    }
  }
  add_candidate("--help", "Print help", begun, text);
  if (scan.verbs.size() == 1) add_candidate("--version", "Print the version", begun, text);
}

// The argument that stands here: the last one may be repeated.
const OptionText* find_argument(const WordScan& scan) {
  const std::vector<const OptionText*> arguments = scan.verb().arguments();
  const auto at = static_cast<size_t>(scan.argument_count);
  if (at < arguments.size()) return arguments[at];
  return !arguments.empty() && arguments.back()->is_repeated ? arguments.back() : nullptr;
}

// `marrow help prepare …`: the verbs that the words so far lead to.
bool add_helped_verbs(const VerbText& root, const std::vector<std::string>& before, const std::string& begun,
                      std::string& text) {
  if (before.empty() || before.front() != "help") return false;
  const VerbText* at = &root;
  for (size_t i = 1; i < before.size() && at != nullptr; ++i) at = at->find_verb(before[i]);
  if (at == nullptr) return true;
  for (const VerbText& verb : at->verbs) add_candidate(verb.name, verb.help, begun, text);
  return true;
}

}  // namespace

std::string format_completion_script(const std::string& shell) {
  if (shell == "zsh") return kZsh;
  return shell == "fish" ? kFish : kBash;
}

std::string list_completions(const VerbText& root, const std::vector<std::string>& words) {
  std::string begun = words.empty() ? std::string() : words.back();
  const std::vector<std::string> before(words.begin(), words.end() - (words.empty() ? 0 : 1));
  const WordScan scan = scan_words(root, before);
  std::string text;
  if (!scan.problem.empty()) return text;
  if (scan.open != nullptr) {
    add_values(*scan.open, begun, text);
  } else if (begun.starts_with("-")) {
    add_option_names(scan, begun, text);
  } else if (add_helped_verbs(root, before, begun, text)) {
    return text;
  } else if (!scan.verb().verbs.empty()) {
    for (const VerbText& verb : scan.verb().verbs) add_candidate(verb.name, verb.help, begun, text);
  } else if (const OptionText* argument = find_argument(scan)) {
    add_values(*argument, begun, text);
  }
  return text;
}

}  // namespace marrow
