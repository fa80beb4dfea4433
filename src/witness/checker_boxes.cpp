#include "witness/checker_boxes.h"

#include <algorithm>
#include <utility>

namespace marrow {

CheckerBoxes::CheckerBoxes(std::vector<CheckerBox> boxes, std::vector<Index> ids)
    : boxes_(std::move(boxes)), ids_(std::move(ids)) {
  if (!ids_.empty()) build(0, static_cast<Index>(ids_.size()));
}

Index CheckerBoxes::build(Index begin, Index end) {
  const Index at = static_cast<Index>(nodes_.size());
  nodes_.push_back({box(ids_[static_cast<size_t>(begin)]), begin, end, kNone});
  CheckerBox around = nodes_.back().box;
  for (Index i = begin; i < end; ++i) around.include(box(ids_[static_cast<size_t>(i)]));
  nodes_.back().box = around;
  if (end - begin <= kLeafSize) return at;
  // Halve the ids along the longest side; equal centres are told apart by id.
  Eigen::Index axis = 0;
  (around.upper - around.lower).maxCoeff(&axis);
  const auto centre = [&](Index id) { return 0.5 * box(id).lower[axis] + 0.5 * box(id).upper[axis]; };
  const Index middle = begin + (end - begin) / 2;
  std::nth_element(ids_.begin() + begin, ids_.begin() + middle, ids_.begin() + end,
                   [&](Index a, Index b) { return std::pair(centre(a), a) < std::pair(centre(b), b); });
  build(begin, middle);
  const Index right = build(middle, end);
  nodes_[static_cast<size_t>(at)].right = right;
  return at;
}

}  // namespace marrow
