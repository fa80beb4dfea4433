#include "potentials/elastic/curved_tets.h"

#include "exec/parallel.h"

namespace marrow {
namespace {

// The part of its Jacobian that a tet keeps at least in a step, wherever it is smallest; as for straight
// ones. [ablation: kept_volume]
constexpr double kKeptJacobian = 0.1;

constexpr size_t kTetGrain = 16;  // a tet takes microseconds [speed only]

}  // namespace

StepLimit CurvedTetLimit::compute_step_limit(const NodePath& path) const {
  const auto count = static_cast<size_t>(count_lattice(tets_.order));
  std::vector<double> limits(tets_.nodes.size() / count);
  exec::parallel_for(
      "curved.limit", limits.size(),
      [&](size_t t) {
        std::array<Vec3, count_lattice(kMostOrder)> starts, moves;
        bool moves_at_all = false;
        for (size_t k = 0; k < count; ++k) {
          const Index node = tets_.nodes[t * count + k];
          starts[k] = path.start.segment<3>(3 * node);
          moves[k] = path.direction.segment<3>(3 * node);
          moves_at_all = moves_at_all || moves[k] != moves[0];
        }
        limits[t] =
            moves_at_all ? path_.find_limit({starts.data(), count}, {moves.data(), count}, kKeptJacobian) : 1;
      },
      kTetGrain);
  double alpha = 1;
  for (const double limit : limits) alpha = std::min(alpha, limit);
  if (alpha < 1) return {alpha, LimitCause::Inversion};
  return {};
}

}  // namespace marrow
