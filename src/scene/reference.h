// The scene reference (docs/scene.md), made from the field lists.
#pragma once

#include <string>

namespace marrow {

// Markdown: one table per struct, the shapes, and a complete example.
std::string scene_reference();

}  // namespace marrow
