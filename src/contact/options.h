// The options of contact come in two forms: as a scene gives them (ContactOptions), and as a model uses them
// (ContactModel), with lengths resolved and names turned into body numbers.
//
// The friction of a pair of bodies is the first of these that applies:
//   1. the entries of `pairs`, the last one if several name the pair
//   2. both bodies have a coefficient of their own: the geometric mean √(µa µb)
//   3. one body has one: that
//   4. the scene's
// So one frictionless body stays frictionless against every other, and a single number serves most scenes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "contact/candidates.h"
#include "contact/certified_surface.h"
#include "core/options.h"

namespace marrow {

// Options of two bodies. A name is that of a body or of a group of bodies.
struct ContactPair {
  std::string a;
  std::string b;
  std::optional<double> friction;
  bool ignore = false;
  bool operator==(const ContactPair&) const = default;
};

// What the barrier is summed over: pairs of simplices, or the area of the surfaces.
enum class ContactWeighting { Pair, Area };

template <>
struct EnumNames<ContactWeighting> {
  static constexpr const char* names[] = {"pair", "area"};
};

struct ContactOptions {
  bool enabled = true;
  std::optional<double> d_hat;
  double d_hat_relative = 1e-3;
  ContactWeighting weighting = ContactWeighting::Pair;
  std::optional<double> kappa;
  std::optional<double> stiffness;
  double friction = 0;
  std::optional<double> epsilon_v;
  double epsilon_v_relative = 1e-3;
  int friction_iterations = 2;
  std::vector<ContactPair> pairs;
  bool operator==(const ContactOptions&) const = default;
};

template <class Visitor>
void visit_fields(Visitor& visit, ContactPair& o) {
  visit("a", o.a, {.required = true, .doc = "A body or a group, by name."});
  visit("b", o.b, {.required = true, .doc = "A body or a group, by name; may be the same as a."});
  visit("friction", o.friction,
        {.at_least = 0, .doc = "Coefficient of friction between them; if absent, that of the bodies."});
  visit("ignore", o.ignore,
        {.doc = "If true, the two pass through each other. If a and b are the same group, its bodies pass "
                "through each other, but not through themselves."});
}

template <class Visitor>
void visit_fields(Visitor& visit, ContactOptions& o) {
  visit("enabled", o.enabled, {.doc = "Whether bodies collide; if false, they pass through each other."});
  visit("d_hat", o.d_hat,
        {.unit = "m",
         .above = 0,
         .doc = "Distance at which bodies begin to repel each other; smaller values are closer to true "
                "contact and slower. If absent, d_hat_relative is used."});
  visit("d_hat_relative", o.d_hat_relative,
        {.above = 0,
         .below = 1,
         .doc = "d_hat as a fraction of the diagonal of the box around all bodies that are not obstacles, at "
                "time 0, or of ten times the diagonal of the smallest body, if that is less."});
  visit(
      "weighting", o.weighting,
      {.doc =
           "pair: the barrier is a sum over pairs of simplices; finer meshes have more of them, and smaller "
           "gaps. area: it is integrated over the surfaces, with a stiffness in Pa, so that gaps, forces "
           "and friction do not depend on the meshes once these resolve the contact."});
  visit("kappa", o.kappa,
        {.unit = "J",
         .above = 0,
         .doc = "Stiffness of the barrier with weighting \"pair\"; if absent, it is adapted automatically."});
  visit(
      "stiffness", o.stiffness,
      {.unit = "Pa",
       .above = 0,
       .doc = "Stiffness of the barrier with weighting \"area\": the pressure at a gap of 0.78 d_hat. If "
              "absent, that of the softer of two bodies: its contact modulus, and what stops its mass within "
              "d_hat in a step."});
  visit("friction", o.friction,
        {.at_least = 0, .doc = "Coefficient of friction, unless pairs or bodies set another."});
  visit("epsilon_v", o.epsilon_v,
        {.unit = "m/s",
         .above = 0,
         .doc = "Sliding speed below which contacts stick, with less than full friction; smaller values are "
                "closer to true stiction and slower. If absent, epsilon_v_relative is used."});
  visit("epsilon_v_relative", o.epsilon_v_relative,
        {.unit = "1/s",
         .above = 0,
         .doc = "epsilon_v as a fraction of the length that d_hat_relative uses, per second."});
  visit("friction_iterations", o.friction_iterations,
        {.at_least = -1,
         .doc = "Maximum number of solves per step, each with the friction forces of the one before. Solves "
                "end earlier if forces balance with the updated friction forces (solver.balance). -1: as "
                "many as that takes, unless ten in a row make no progress. More solves are more accurate, "
                "and slower in impacts."});
  visit("pairs", o.pairs, {.doc = "Settings for two bodies or groups; later entries override earlier ones."});
}

// The number of pairs of spheres, cones and slabs of a body that overlap at rest without sharing a vertex:
// such pairs are not kept apart.
struct OverlapCount {
  Index body = kNone;
  size_t primitives = 0;  // pairs of slabs, of cones in no slab, of spheres in neither
  size_t contacts = 0;  // pairs that contact would see: sphere–slab, cone–cone, sphere–cone, sphere–sphere
};

// Two bodies whose contact begins at another distance than d̂.
struct PairActivation {
  Index a = 0, b = 0;  // a < b
  double d_hat = 0;    // [m]
  bool operator==(const PairActivation&) const = default;
};

// Contact as the solver needs it.
struct ContactModel {
  bool is_enabled = true;
  double d_hat = 1e-3;                               // [m] [default]
  bool is_by_area = false;                           // integrated over surfaces
  std::optional<double> kappa;                       // [J], by area [Pa]; absent: adaptive
  double epsilon_v = 1e-3;                           // [m/s] [default]
  double friction = 0;                               // of the scene
  std::vector<std::optional<double>> body_friction;  // by body
  std::map<IndexPair, double> pair_friction;         // by bodies, the smaller first
  int friction_iterations = 2;                       // at most; -1: until forces agree
  std::vector<IndexPair> ignored_bodies;             // the smaller first; {a, a}: a ignores itself
  double reference_length = 1;                       // what relative lengths refer to [m]
  std::vector<CertifiedSurface> certified;           // of bodies that search themselves with certificates
  SimplexPairs overlapping;                          // of colliders, as they are at rest
  std::vector<OverlapCount> overlaps;                // by body with a collider

  // µ between two bodies.
  double friction_between(Index a, Index b) const;
  // True if any two bodies have friction.
  bool has_friction() const;
};

}  // namespace marrow
