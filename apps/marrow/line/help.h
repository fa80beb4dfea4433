// Help and man page of the program, made from the text of its options.
#pragma once

#include <string>
#include <vector>

#include "marrow/line/verb_text.h"

namespace marrow {

// What the program is, its verbs by group, and the first commands to try.
std::string format_overview(const VerbText& root);

// One verb: how it is written, its options, examples. The last of `verbs` is meant, the others lead to it.
std::string format_help(const std::vector<const VerbText*>& verbs);

// "marrow run [options] SCENE".
std::string format_usage(const std::vector<const VerbText*>& verbs);

// The page for man(1), in the language of roff.
std::string format_man_page(const VerbText& root, const std::string& version);

}  // namespace marrow
