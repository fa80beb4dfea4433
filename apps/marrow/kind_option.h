// The option --kind of the verbs that read rigid-ipc fixtures.
#pragma once

#include <string>

#include "marrow/command_line.h"
#include "scene/import/import_scene.h"

namespace marrow {

// Writes "rigid", "affine" or, if it is not given, nothing.
void add_kind_option(Verb verb, std::string& kind);

ImportOptions read_import_options(const std::string& kind);

}  // namespace marrow
