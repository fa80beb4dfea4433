// What the witness says of a set of bodies: intersections of surfaces, inverted tets, points that are not
// finite.
//
// It knows bodies as surfaces and tets only, and is told which pairs may meet. sim/start/model_witness.h
// makes that list from a model.
#pragma once

#include <optional>
#include <utility>

#include "witness/checker_turning.h"

namespace marrow {

// The bodies as the witness sees them.
struct WitnessedBodies {
  SurfaceSet surfaces;
  std::vector<Tet> tets;
  std::vector<CurvedTetList> curved = {};
  std::vector<Triangle> plane_triangles = {};  // in the plane z = 0; at rest they are counter-clockwise
  CheckerOptions exceptions = {};              // which pairs may meet
  bool is_kept_apart = true;  // false: surfaces may pass through each other, and are not counted
};

// What was found wrong. Empty: not looked for.
struct WitnessCounts {
  std::optional<std::int64_t> intersections;  // pairs of elements that meet, or that cannot be proven apart
  std::optional<std::int64_t> inversions;     // tets that are inverted or flat, curved ones somewhere inside
  std::optional<std::int64_t> not_finite;     // points

  bool is_clean() const {
    return intersections.value_or(0) == 0 && inversions.value_or(0) == 0 && not_finite.value_or(0) == 0;
  }
  WitnessCounts& operator+=(const WitnessCounts& other);
};

struct WitnessReport {
  IntersectionReport surfaces;
  InversionReport tets;

  bool is_clean() const { return surfaces.is_clean() && tets.is_clean(); }
  WitnessCounts counts() const;
};

// The boundary of the tets, then the listed triangles that are not part of it.
std::vector<Triangle> unite_surfaces(const std::vector<Tet>& tets, const std::vector<Triangle>& listed);

class Witness {
 public:
  explicit Witness(WitnessedBodies bodies) : bodies_(std::move(bodies)) {}

  // Where the points are from now on, and the nodes of curved tets. Curved tets without nodes count as not
  // decided.
  void move_to(const Points& points, Points nodes = {}) {
    bodies_.surfaces.points = points;
    nodes_ = std::move(nodes);
  }
  bool has_curved_tets() const { return !bodies_.curved.empty(); }

  const SurfaceSet& surfaces() const { return bodies_.surfaces; }
  const std::vector<Tet>& tets() const { return bodies_.tets; }
  const CheckerOptions& exceptions() const { return bodies_.exceptions; }

  // Surfaces and tets where the points are.
  WitnessReport check() const;
  // The same as counts; surfaces only if they are kept apart.
  WitnessCounts count() const;
  InversionReport check_tets() const;
  // The path of all points from x0 to x1: straight, but for the bodies that turn.
  TrajectoryReport check_path(const Points& x0, const Points& x1, const std::vector<BodyTurn>& turns) const {
    return check_turning_motion(surfaces(), x0, x1, turns, exceptions());
  }

 private:
  WitnessedBodies bodies_;
  Points nodes_;
};

}  // namespace marrow
