// What the viewer draws over the bodies, made from a state. docs/frame_format.md has the names.
#pragma once

#include <vector>

#include "output/frames/frame.h"
#include "sim/model/forces.h"
#include "sim/model/model.h"
#include "sim/terms/contact_view.h"

namespace marrow {

// Where bodies are held or pulled.
Overlay make_handles(const Model& model, const State& state);

// Where joints hold, with the force that each carries; those that broke are gone.
Overlay make_joints(const Model& model, const State& state);

// The spheres, cones and slabs that collide.
void add_balls(const Model& model, const Points& points, std::vector<Overlay>& overlays);

// The closest points of all contacts, and those of the closest one by itself.
void add_contacts(const ContactPicture& picture, std::vector<Overlay>& overlays);

// An arrow for every force between two bodies, normal and friction together: from its point of application,
// along the force on the body that may move; where both may, one for each. A force as large as the mean
// weight of the bodies is as long as the smallest body; none is longer than five of that. The value is the
// force [N].
Overlay make_force_arrows(const Model& model, const StepForces& forces);

}  // namespace marrow
