// marrow help, marrow completion: the verbs that speak of the others.
#pragma once

#include "marrow/command_line.h"

namespace marrow {

// `text` must outlive the verbs.
void add_help_verbs(Verb root, const VerbText& text);

// `marrow completion --words WORD…`, by which the shells' scripts ask what may stand in place of the last
// word. It has no place in the help. False: this is something else.
bool answer_shell(const VerbText& text, int argc, char** argv);

}  // namespace marrow
