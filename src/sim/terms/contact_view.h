// Contacts of a state are prepared for people to look at: where they are, how close, and how hard they press.
//
// The pressure at a point is the sum of the magnitudes of the normal forces on it (StepForces::pressing),
// over a third of the area of the triangles around it. So pressure times area adds up to the `pressing` of
// the pairs.
#pragma once

#include <vector>

#include "sim/model/report.h"
#include "sim/terms/contact_terms.h"

namespace marrow {

struct SeenContact {
  Vec3 a, b;       // the closest points of the two surfaces
  double gap = 0;  // [m]
};

struct ContactPicture {
  std::vector<SeenContact> contacts;
  std::vector<double> pressures;  // at every point [Pa]; 0 if there is no area
};

// contact: the terms that the step used. report: that of the step that led to the state.
ContactPicture compute_contact_picture(const Model& model, ContactTerms& contact, const State& state,
                                       const StepReport& report);

}  // namespace marrow
