// The JSON schema of scene files (docs/scene.schema.json), made from the field lists: what editors complete
// and check with.
#pragma once

#include <string>

namespace marrow {

// JSON Schema, draft 7.
std::string scene_schema();

}  // namespace marrow
