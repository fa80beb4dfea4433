// Measures how close bodies came: the smallest gap between surfaces, by the solver's own distances.
//
// The number is for information. The witness decides whether anything intersects (witness/witness.h).
#pragma once

#include <optional>

#include "contact/contact_set.h"
#include "contact/proximity.h"
#include "sim/model/model.h"

namespace marrow {

class GapMeter {
 public:
  // Pairs that the solver does not keep apart do not count. The model must outlive this.
  explicit GapMeter(const Model& model);

  // The smallest gap at these points [m]; empty if no pair is close enough for the barrier to act.
  std::optional<double> measure(const Points& points);

  // The same, only of pairs between which contact acts: parts of one body that are as close at rest do not
  // count.
  std::optional<double> measure_acting(const Points& points);

 private:
  std::optional<double> measure(const ContactPoints& points);

  Points rest_;
  Proximity proximity_;
};

}  // namespace marrow
