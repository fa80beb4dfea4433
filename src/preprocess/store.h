// Where results of preparation are kept from one run to the next: $MARROW_CACHE, else $XDG_CACHE_HOME/marrow,
// else ~/.cache/marrow. Files are named by the content of what they were computed from.
#pragma once

#include <string>

namespace marrow {

// Empty: there is none.
std::string find_store();

// Makes the folder and writes the file; false if it could not be kept.
bool keep_in_store(const std::string& store, const std::string& path, const std::string& bytes);

}  // namespace marrow
