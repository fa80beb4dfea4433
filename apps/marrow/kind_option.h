// The option --kind of the verbs that read rigid-ipc fixtures.
#pragma once

#include "scene/import/import_scene.h"

namespace CLI {  // NOLINT(readability-identifier-naming): theirs
class App;
}

namespace marrow {

void add_kind_option(CLI::App& verb, ImportOptions& options);

}  // namespace marrow
