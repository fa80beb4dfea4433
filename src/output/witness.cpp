#include "output/witness.h"

#include <algorithm>
#include <set>
#include <utility>

#include "contact/checker_turning.h"
#include "geometry/surface.h"
#include "kinematics/charts.h"
#include "kinematics/joined.h"
#include "output/run_folder.h"

namespace marrow {
namespace {

Triangle sorted(Triangle t) {
  std::sort(t.begin(), t.end());
  return t;
}

// What collides by itself: points in no simplex, less those that are only seen.
std::vector<Index> list_loose_points(const Kinematics& kinematics, const Mesh& colliders) {
  std::vector<std::uint8_t> is_used = flag_seen_points(kinematics);
  const auto mark = [&](const auto& simplices) {
    for (const auto& simplex : simplices) {
      for (const Index i : simplex) is_used[static_cast<size_t>(i)] = 1;
    }
  };
  mark(colliders.edges);
  mark(colliders.triangles);
  mark(colliders.tets);
  std::vector<Index> loose;
  for (size_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i] == 0) loose.push_back(static_cast<Index>(i));
  }
  return loose;
}

// The pairs that are not looked at.
CheckerOptions list_exceptions(const Model& model) {
  CheckerOptions options;
  options.fixed = flag_obstacle_points(model.kinematics);
  options.ignored_bodies = model.contact.ignored_bodies;
  for (const OverlapCount& count : model.contact.overlaps) options.ball_bodies.push_back(count.body);
  options.overlapping = model.contact.overlapping;
  return options;
}

}  // namespace

WitnessCounts& WitnessCounts::operator+=(const WitnessCounts& other) {
  const auto add = [](const std::optional<std::int64_t>& more, std::optional<std::int64_t>& sum) {
    if (more) sum = sum.value_or(0) + *more;
  };
  add(other.intersections, intersections);
  add(other.inversions, inversions);
  add(other.not_finite, not_finite);
  return *this;
}

WitnessCounts WitnessReport::counts() const {
  return {surfaces.intersections + surfaces.undecided,
          static_cast<std::int64_t>(tets.inverted.size() + tets.flat.size()),
          static_cast<std::int64_t>(surfaces.not_finite.size())};
}

std::vector<Triangle> unite_surfaces(const std::vector<Tet>& tets, const std::vector<Triangle>& listed) {
  std::vector<Triangle> all = extract_surface(tets);
  std::set<Triangle> known;
  for (const Triangle& t : all) known.insert(sorted(t));
  for (const Triangle& t : listed) {
    if (tets.empty() || known.count(sorted(t)) == 0) all.push_back(t);
  }
  return all;
}

Witness::Witness(SurfaceSet surfaces, std::vector<Tet> tets)
    : surfaces_(std::move(surfaces)), tets_(std::move(tets)) {}

Witness::Witness(const Model& model) : kinematics_(&model.kinematics) {
  Mesh colliders = join_colliders(model.kinematics);
  surfaces_.triangles = unite_surfaces(colliders.tets, colliders.triangles);
  surfaces_.edges = colliders.edges;
  surfaces_.loose_points = list_loose_points(model.kinematics, colliders);
  surfaces_.radii = std::move(colliders.radii);
  surfaces_.bodies = list_bodies_of_points(model.kinematics);
  tets_ = std::move(colliders.tets);
  options_ = list_exceptions(model);
  keeps_apart_ = model.contact.is_enabled;
}

std::vector<BodyTurn> list_turns(const Kinematics& kinematics, const VecX& n0, const VecX& n1) {
  std::vector<BodyTurn> turns;
  for (const Turn& turn : find_turns(kinematics, n0, n1)) {
    turns.push_back({turn.body, turn.center, turn.shift, turn.rotation});
  }
  return turns;
}

WitnessReport Witness::check() const { return {check_surfaces(surfaces_, options_), check_tets()}; }

WitnessCounts Witness::count() const {
  if (keeps_apart_) return check().counts();
  const InversionReport tets = check_tets();
  return {std::nullopt, static_cast<std::int64_t>(tets.inverted.size() + tets.flat.size()), std::nullopt};
}

TrajectoryReport Witness::check_way(const VecX& n0, const VecX& n1) const {
  Points x0, x1;
  compute_points(*kinematics_, n0, x0);
  compute_points(*kinematics_, n1, x1);
  return check_turning_motion(surfaces_, x0, x1, list_turns(*kinematics_, n0, n1), options_);
}

}  // namespace marrow
