// The contacts of a configuration are the candidate pairs closer than the activation distance, reduced to the
// vertices on which their closest points depend.
//
// Many candidates share a closest vertex–edge or vertex–vertex pair. Such a pair is kept once with its
// multiplicity, so that energy and derivatives are those of the sum over all candidates. Contacts are sorted:
// the same set, in the same order, on any number of threads.
#pragma once

#include <span>

#include "contact/options.h"
#include "contact/stencils.h"
#include "geometry/distance/distance.h"
#include "math/barrier_function.h"

namespace marrow {

struct Contact {
  PairStencil vertices = {kNone, kNone, kNone, kNone};
  PairShape shape = {0, 0};
  PairPoint point;           // over those vertices
  double s_hat = 0;          // f of activation: d̂ (d̂ + 2 ρ_max), less if it would act at rest
  BarrierFunction barrier;   // b(f/ŝ): value, gradient and Hessian share its logarithm
  double multiplicity = 1;   // candidates that reduce to this pair, times what makes it stiffer than others
  double threshold = 0;      // of the mollifier, if it is on its ramp; else 0
  double weight = 1;         // of each candidate (contact/weighting)
  bool is_crossing = false;  // edges that cross: fades where the crossing leaves them (distance/crossing.h)
  double squared() const { return point.compute_squared(); }
};

// Contact sees the bodies as points with radii. Rest positions give the mollifier's threshold, and keep parts
// of one body from acting on each other at rest.
struct ContactPoints {
  std::span<const Vec3> x;
  std::span<const Vec3> rest;
  std::span<const double> radii;       // empty: all zero
  std::span<const Index> bodies = {};  // of the points; empty: all pairs are of different bodies
  std::span<const PairActivation> activations = {};  // of bodies with a d̂ of their own, ascending
};

struct ContactCounts {
  size_t vertex_vertex = 0, edge_vertex = 0, edge_edge = 0, face_vertex = 0;
};

// candidates must include every pair closer than d_hat.
std::vector<Contact> build_contact_set(const ContactPoints& points, const PairStencils& candidates,
                                       double d_hat);

// The parts of build_contact_set that other ways of weighting share.

// The largest radius of each simplex, summed.
double compute_radius_sum(const PairStencil& vertices, PairShape shape, std::span<const double> radii);

// The activation distance d̂ of the two bodies of a pair.
double find_activation(const PairStencil& vertices, PairShape shape, const ContactPoints& points,
                       double d_hat);

bool is_one_body(const PairStencil& vertices, PairShape shape, const ContactPoints& points);

// ŝ of a pair of parts of one body that would act at this f at rest. [D16]
double limit_at_rest(double s_hat, double squared_at_rest);

// The point of a pair of two whole simplices, from what the batch found.
PairPoint make_point(PairShape shape, const PairStencil& vertices, const ClosestPoints& closest,
                     std::span<const double> radii);

// Keeps only the balls of the region, those with non-zero weight, in canonical order: the smaller simplex in
// front, and ids ascending in each. keeps_sides: the front stays in front.
void reduce_contact(Contact& contact, bool keeps_sides = false);

// The contacts among some candidates, in their order. Several candidates may reduce to the same shared
// contact; these are merged later.
struct FoundContacts {
  std::vector<Contact> single, shared;
};

// All of them, shared ones once, with the sum of their multiplicities.
std::vector<Contact> merge_contacts(const std::vector<FoundContacts>& parts);

ContactCounts count_kinds(const std::vector<Contact>& contacts);

// The balls of a contact at positions x, in the order of its vertices.
PairBalls gather_balls(const PairStencil& vertices, int count, std::span<const Vec3> x,
                       std::span<const double> radii);

}  // namespace marrow
