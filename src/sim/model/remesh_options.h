// Options of a body that is remeshed within its steps (docs/models/remeshing.md).
#pragma once

#include <optional>

#include "core/options.h"

namespace marrow {

struct RemeshOptions {
  std::optional<double> gain;
  double gain_relative = 1e-3;
  int rounds = 3;
  std::optional<int> max_nodes;
  double min_edge = 0;
  double min_quality = 0.5;
  bool operator==(const RemeshOptions&) const = default;
};

template <class Visitor>
void visit_fields(Visitor& visit, RemeshOptions& o) {
  visit("gain", o.gain,
        {.unit = "J",
         .above = 0,
         .doc = "An edge is split if that lowers the energy of the step by more than this. Smaller values "
                "make finer meshes. If absent, gain_relative is used."});
  visit("gain_relative", o.gain_relative,
        {.above = 0,
         .below = 1,
         .doc = "gain as a fraction of the body's elastic energy at the end of the step, but at least 1e-9 "
                "of Young's modulus times the volume, times this."});
  visit("rounds", o.rounds,
        {.at_least = 1,
         .at_most = 100,
         .doc = "Most times that a step is solved again on a changed mesh. More rounds follow a sudden "
                "contact faster; what is left is done in the next step."});
  visit("max_nodes", o.max_nodes,
        {.at_least = 4,
         .doc = "Most nodes that the body may have; no edge is split beyond. Default: eight times those of "
                "its mesh."});
  visit("min_edge", o.min_edge,
        {.unit = "m", .at_least = 0, .doc = "Edges shorter than twice this are not split."});
  visit("min_quality", o.min_quality,
        {.at_least = 0,
         .below = 1,
         .doc = "Least quality of a new tet: its mean ratio 12 (3 V)^(2/3) / sum l^2, 1 for a regular one. "
                "Where a split would make a worse one, longer edges around are split first. Smaller values "
                "need fewer nodes at first; larger ones leave room for more splits."});
}

}  // namespace marrow
