#include "kinematics/node_path.h"

#include <algorithm>

#include "exec/parallel.h"

namespace marrow {

VecX NodePath::at(double alpha) const {
  VecX n = start + alpha * direction;
  exec::parallel_for("kinematics.turns", turns.size(), [&](size_t k) {
    const Turn& turn = turns[k];
    for (Index i = turn.first_node; i < turn.first_node + 4; ++i) {
      n.segment<3>(3 * i) = turn.place(start.segment<3>(3 * i), alpha);
    }
  });
  return n;
}

double NodePath::compute_turn_limit() const {
  double alpha = 1;
  for (const Turn& turn : turns) {
    if (turn.rotation.norm() > kLargestTurn) alpha = std::min(alpha, kLargestTurn / turn.rotation.norm());
  }
  return alpha;
}

NodePath NodePath::cut(double alpha) const {
  NodePath part = {start, alpha * direction, turns};
  for (Turn& turn : part.turns) {
    turn.shift *= alpha;
    turn.rotation *= alpha;
  }
  return part;
}

Vec3 compute_mean(const VecX& n, Index first_node, Index node_count) {
  Vec3 sum = Vec3::Zero();
  for (Index i = first_node; i < first_node + node_count; ++i) sum += n.segment<3>(3 * i);
  return sum / static_cast<double>(node_count);
}

}  // namespace marrow
