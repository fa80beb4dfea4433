// Contacts of a state are prepared for people to look at: where they are, how close, and how hard they press.
//
// The barrier κ m e b(f/ŝ) of a contact (potentials/contact/barrier.h) pushes its vertex i along c by
//
//   |F_i| = κ m e |b′(f/ŝ)|/ŝ · 2 |w_i| |c| / s                                                       [N]
//
// where s is the scale of forces that act at the end of a step (sim/terms/integrator.h). The pressure at a
// point is the sum of these over a third of the area of the triangles around it. The mollifier's own slope is
// left out.
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
  std::vector<double> forces;     // at every point [N]
  std::vector<double> pressures;  // [Pa]; 0 if there is no area
};

// contact: the terms that the step used. report: that of the step that led to the state.
ContactPicture compute_contact_picture(const Model& model, ContactTerms& contact, const State& state,
                                       const StepReport& report);

}  // namespace marrow
