// The witness: decides exactly whether surfaces intersect, at an instant and over a straight motion.
//
// It shares no code with the solver's collision path: its library does not link the solver's geometry
// (tests/witness/alone, tools/check_witness.py). So its verdict means something. What "exactly" means:
// docs/models/checker.md. In short: surfaces are closed sets, touching is intersecting, coordinates are taken
// as the rational numbers they are, nothing is rounded. Only radii can leave a pair undecided; it is then
// listed as such, never passed over.
//
// Two elements of a mesh that share vertices intersect if they meet outside the simplex of these vertices: a
// fold back onto a neighbour counts. An element listed twice counts as a duplicate, not as an intersection.
// Results do not depend on the number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/options.h"
#include "mesh/mesh.h"
#include "mesh/simplex_pairs.h"
#include "witness/curved_tets.h"

namespace marrow {

enum class ElementKind { Face, Segment, Point };

template <>
struct EnumNames<ElementKind> {
  static constexpr const char* names[] = {"triangle", "edge", "point"};
};

// The surfaces of one or many bodies.
struct SurfaceSet {
  Points points;
  std::vector<Triangle> triangles;
  std::vector<Edge> edges;          // wires
  std::vector<Index> loose_points;  // points that collide without belonging to an edge or triangle
  std::vector<double> radii;        // one per point, or empty: all zero
  std::vector<Index> bodies;        // the body of each point, or empty: all 0
};

// An element by its place in the list of its kind; points by their number.
struct SurfaceElement {
  ElementKind kind = ElementKind::Face;
  Index id = kNone;
  Index body = 0;
  std::array<Index, 3> vertices = {kNone, kNone, kNone};
};

struct OffendingPair {
  SurfaceElement a;
  SurfaceElement b;
  bool is_undecided = false;  // radii only: too close to prove either way
  double time = 0;            // of a motion: an instant at which they meet, rounded
};

struct CheckerOptions {
  // Whether radii count between elements of one body; if not, its elements are checked as if they had none.
  bool radii_within_body = false;
  // Bodies made of spheres, cones and slabs, ascending: within them radii count always, elements that share a
  // vertex may overlap, and so may these pairs.
  std::vector<Index> ball_bodies = {};
  SimplexPairs overlapping = {};
  // Pairs that are not looked at: elements all of whose points are flagged (obstacles among themselves), and
  // elements of these bodies (smaller first; {a, a}: of a itself). Both may be empty.
  std::vector<std::uint8_t> fixed = {};  // one flag per point
  std::vector<std::array<Index, 2>> ignored_bodies = {};
  // At most this many pairs are listed; all are counted.
  size_t max_listed = 100000;
};

struct IntersectionReport {
  std::vector<OffendingPair> pairs;  // sorted: triangles before edges before points, then by id
  std::int64_t intersections = 0;
  std::int64_t undecided = 0;
  std::int64_t duplicates = 0;    // pairs of elements with the same vertices
  std::int64_t candidates = 0;    // pairs whose boxes overlap
  std::vector<Index> not_finite;  // points with a coordinate or radius that is not finite: not checked

  bool is_clean() const { return intersections == 0 && undecided == 0 && not_finite.empty(); }
};

// Preconditions: indices are in range, radii are not negative.
IntersectionReport check_surfaces(const SurfaceSet& surfaces, const CheckerOptions& options = {});

struct InversionReport {
  std::vector<Index> inverted;               // tets of negative volume, or with a point that is not finite
  std::vector<Index> flat;                   // tets of zero volume
  std::vector<CurvedInversion> curved = {};  // curved tets that are not shown to be positive everywhere

  std::int64_t count() const {
    return static_cast<std::int64_t>(inverted.size() + flat.size() + curved.size());
  }
  bool is_clean() const { return count() == 0; }
};

InversionReport check_inversions(const Points& points, const std::vector<Tet>& tets);

// The same of triangles in the plane z = 0: those that are not counter-clockwise, by their numbers.
InversionReport check_plane_inversions(const Points& points, const std::vector<Triangle>& triangles);

// The same for a motion; its pairs have a time.
using TrajectoryReport = IntersectionReport;

// The pairs that meet at some time while every point moves straight from x0 to x1: points with triangles,
// edges with edges, loose points with both, pairs that share a vertex left out. If the start is free of
// intersections and no pair is listed, no intersection happens on the way. surfaces.points is not used.
// Edges are numbered: the wires, then the edges of the triangles (mesh/surface.h, unique_edges).
TrajectoryReport check_motion(const SurfaceSet& surfaces, const Points& x0, const Points& x1,
                              const CheckerOptions& options = {});

}  // namespace marrow
