// What acts on the points of a body from outside: prescribed motions, forces, pressure.
#pragma once

#include "core/error.h"
#include "scene/description.h"
#include "sim/model/model.h"

namespace marrow {

// Where an element of "bodies" or "joints" is said, for messages: by its origin, else by its number.
Location place_of(const Origin& origin, const std::string& scene_path, const char* list, size_t number);

// A body's place in the scene file, for messages.
struct BodyPlace {
  std::string scene_path;
  size_t body;
  Origin origin = {};  // of bodies that are copies or included

  Location at(const std::string& key) const;
};

// Both for the last body of the model, whose nodes are at first where nodes says. Throw InputError.
// A point may be prescribed once only; what an obstacle's motions leave out stands still.
void add_prescribed(const BodyDescription& description, const BodyPlace& place, const Points& nodes,
                    Model& model);
void add_loads(const BodyDescription& description, const BodyPlace& place, Model& model);

}  // namespace marrow
