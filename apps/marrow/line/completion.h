// Completion of the command line in bash, zsh and fish. The shells' scripts ask the program itself, so that
// they know every verb and option without a list of their own.
#pragma once

#include <string>
#include <vector>

#include "marrow/line/verb_text.h"

namespace marrow {

// The script for a shell: "bash", "zsh" or "fish".
std::string format_completion_script(const std::string& shell);

// What may stand in place of the last word: one candidate a line, a tab, what it means. The last line is
// ":files .json .txt" or ":folders" where names of files or folders may stand there, too.
std::string list_completions(const VerbText& root, const std::vector<std::string>& words);

}  // namespace marrow
