// How close bodies came: the smallest gap between surfaces, by the solver's own distances.
//
// A number to look at. Whether anything intersects is for the witness to say (witness/witness.h).
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

  // The smallest gap where the points are [m]; empty if nothing is closer than the barrier acts.
  std::optional<double> measure(const Points& points);

  // The same of pairs between which contact acts: not of parts of one body that are as near at rest.
  std::optional<double> measure_acting(const Points& points);

 private:
  std::optional<double> measure(const ContactPoints& points);

  Points rest_;
  Proximity proximity_;
};

}  // namespace marrow
