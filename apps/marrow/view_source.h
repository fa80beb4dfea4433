// What `marrow view` and `marrow render` can show: a run's folder, a frame or a mesh.
#pragma once

#include <memory>
#include <string>

#include "view/run_source.h"

namespace marrow {

// Throws InputError.
std::unique_ptr<RunSource> open_source(const std::string& path);

}  // namespace marrow
