// Texts for people: counts with their nouns, words for the shell.
#pragma once

#include <string>

namespace marrow {

// "1 body", "2 bodies".
std::string format_count(long count, const char* one, const char* many);

// The word as a shell takes it, in quotes if need be.
std::string quote_for_shell(const std::string& word);

}  // namespace marrow
