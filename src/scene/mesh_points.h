// The points of a body's mesh or shape as they stand in the file, for what is placed by its size.
#pragma once

#include "core/types.h"
#include "scene/description.h"

namespace marrow {

// Empty for planes. scene_path: mesh names are relative to it. Throws InputError.
Points read_own_points(const BodyDescription& body, const std::string& scene_path);

// Puts the numbers that center and size stand for into position and scale, and clears the two.
void resolve_size(const Points& own, BodyDescription& body);

// The points in the world.
Points place_points(const Points& own, const BodyDescription& body);

}  // namespace marrow
