#include "contact/proximity.h"

#include <algorithm>
#include <cmath>

#include "core/trace.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

// More slack means fewer searches and more pairs a search.
constexpr double kSlack = 0.5;  // of d_hat

// A way this much shortened by the pairs near its start is not looked at beyond.
constexpr double kNearlyWhole = 0.9;

bool is_tapered(const CollisionMesh& mesh) {
  const std::vector<double>& r = mesh.radii;
  if (r.empty()) return false;
  return std::any_of(mesh.edges.begin(), mesh.edges.end(), [&](const Edge& e) { return r[e[0]] != r[e[1]]; });
}

// Where radii taper, f falls below ŝ at gaps up to √(ρ² + ŝ) − ρ (docs/models/distance.md): at most √ŝ.
double compute_activation(const CollisionMesh& mesh, double d_hat) {
  if (!is_tapered(mesh)) return d_hat;
  const double largest = *std::max_element(mesh.radii.begin(), mesh.radii.end());
  return std::sqrt(d_hat * (d_hat + 4 * largest));
}

}  // namespace

Proximity::Proximity(CollisionMesh mesh, CandidateFilter filter, double d_hat)
    : finder_(std::move(mesh), std::move(filter)),
      d_hat_(d_hat),
      activation_(compute_activation(finder_.mesh(), d_hat)),
      slack_(kSlack * d_hat) {}

bool Proximity::is_covered(const Points& x0, const Points& x1, std::span<const double> bows) const {
  if (lower_.size() != x0.size()) return false;
  for (size_t i = 0; i < x0.size(); ++i) {
    const double slack = bows.empty() ? slack_ : slack_ - bows[i];
    if ((x0[i].array() < lower_[i].array() - slack).any() ||
        (x0[i].array() > upper_[i].array() + slack).any() ||
        (x1[i].array() < lower_[i].array() - slack).any() ||
        (x1[i].array() > upper_[i].array() + slack).any()) {
      return false;
    }
  }
  return true;
}

void Proximity::search(const Points& x0, const Points& x1, std::span<const double> bows) {
  const trace::Scope scope("contact.search");
  finder_.find_swept(x0, x1, activation_ + 2 * slack_, candidates_, bows);
  make_pair_stencils(finder_.mesh(), candidates_, stencils_);
  lower_.resize(x0.size());
  upper_.resize(x0.size());
  exec::parallel_for(
      "contact.boxes", x0.size(),
      [&](size_t i) {
        lower_[i] = x0[i].cwiseMin(x1[i]);
        upper_[i] = x0[i].cwiseMax(x1[i]);
      },
      4096);
}

const PairStencils& Proximity::find_pairs(const Points& x0, const Points& x1) {
  if (!is_covered(x0, x1)) search(x0, x1);
  return stencils_;
}

StepLimit Proximity::compute_limit(const Points& x0, const Points& x1) {
  const std::vector<double>& radii = finder_.mesh().radii;
  if (is_covered(x0, x1)) return compute_collision_limit({x0, x1, radii}, stencils_, 0);

  // Of a long way, first the part that the pairs near its start allow.
  const StepLimit near = compute_collision_limit({x0, x1, radii}, find_pairs(x0, x0), 0);
  if (near.alpha >= kNearlyWhole) {
    search(x0, x1);
    return compute_collision_limit({x0, x1, radii}, stencils_, 0);
  }
  Points end(x0.size());
  exec::parallel_for(
      "contact.shorten", x0.size(), [&](size_t i) { end[i] = x0[i] + near.alpha * (x1[i] - x0[i]); }, 4096);
  StepLimit limit = compute_collision_limit({x0, end, radii}, find_pairs(x0, end), 0);
  limit.alpha *= near.alpha;
  limit.cause = LimitCause::Collision;
  return limit;
}

StepLimit Proximity::compute_turning_limit(const Points& x0, const Points& x1,
                                           std::span<const Index> frame_of_point,
                                           std::span<const TurningFrame> frames) {
  const TurningPoints way = {x0, x1, finder_.mesh().radii, frame_of_point, frames};
  const std::vector<double> bows = compute_bows(way);
  if (is_covered(x0, x1, bows)) return compute_turning_collision_limit(way, bows, stencils_);

  // Of a long way, first the part that the pairs near its start allow.
  const StepLimit near = compute_turning_collision_limit(way, bows, find_pairs(x0, x0));
  if (near.alpha >= kNearlyWhole) {
    search(x0, x1, bows);
    return compute_turning_collision_limit(way, bows, stencils_);
  }
  const TurningWay part = shorten(way, near.alpha);
  const TurningPoints short_way = {x0, part.x1, finder_.mesh().radii, frame_of_point, part.frames};
  const std::vector<double> short_bows = compute_bows(short_way);
  if (!is_covered(x0, part.x1, short_bows)) search(x0, part.x1, short_bows);
  StepLimit limit = compute_turning_collision_limit(short_way, short_bows, stencils_);
  limit.alpha *= near.alpha;
  limit.cause = LimitCause::Collision;
  return limit;
}

}  // namespace marrow
