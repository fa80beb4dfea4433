// The witness over a model: what contact/checker.h is given to decide whether positions of the bodies are
// sound, with the pairs left out that the solver does not keep apart either (obstacles among themselves,
// bodies that ignore each other, medial primitives of one body that share a vertex or overlap at rest).
//
// The checker shares nothing with the solver; here only the list of what must not meet is taken from the
// model.
#pragma once

#include <optional>

#include "contact/checker_turning.h"
#include "output/frame.h"
#include "sim/model.h"

namespace marrow {

// What was found wrong. Empty: not looked for.
struct WitnessCounts {
  std::optional<std::int64_t> intersections;  // pairs of elements that meet, or that cannot be proven apart
  std::optional<std::int64_t> inversions;     // tets that are inverted or flat
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

// How the rigid bodies turn on the way from n0 to n1, as the checker is told.
std::vector<BodyTurn> list_turns(const Kinematics& kinematics, const VecX& n0, const VecX& n1);

class Witness {
 public:
  // Everything is checked against everything.
  Witness(SurfaceSet surfaces, std::vector<Tet> tets);
  // With what the model leaves out. Radii count where bodies have them. The model must outlive this.
  explicit Witness(const Model& model);

  // Where the points are from now on.
  void move_to(const Points& points) { surfaces_.points = points; }

  const SurfaceSet& surfaces() const { return surfaces_; }
  const std::vector<Tet>& tets() const { return tets_; }

  // Surfaces and tets where the points are.
  WitnessReport check() const;
  // The same as counts; surfaces only if the model keeps them apart.
  WitnessCounts count() const;
  InversionReport check_tets() const { return check_inversions(surfaces_.points, tets_); }
  // The way of the model's nodes from n0 to n1: straight, but rigid bodies turn.
  TrajectoryReport check_way(const VecX& n0, const VecX& n1) const;

 private:
  SurfaceSet surfaces_;
  std::vector<Tet> tets_;
  CheckerOptions options_;
  const Kinematics* kinematics_ = nullptr;
  bool keeps_apart_ = true;
};

}  // namespace marrow
