// A finder returns the contacts at a configuration as values and, from the same searches, how far nodes may
// move.
//
// A finder keeps its last searches and configurations, only for speed. Its answers depend on the question and
// on its settings, and not on earlier questions (tests/potentials/contact_finder_test.cpp).
#pragma once

#include <array>
#include <memory>

#include "contact/weighting/area_contacts.h"
#include "potentials/contact/contact_motion.h"

namespace marrow {

// Contacts depend on these settings beside the nodes.
struct ContactSettings {
  std::vector<PairActivation> activations;  // of bodies with a d̂ of their own, ascending
  // Factors of the barrier's stiffness by body; a contact has the smaller one of its two bodies. Empty:
  // all 1.
  std::vector<double> stiffness;
};

// The contacts at n, with the points that they refer to.
struct ContactState {
  VecX n;
  std::vector<Contact> contacts;
  Points x;                       // those of the contacts, and others that are known [m]
  std::span<const double> radii;  // of all points [m]
  double reach = 0;               // the largest coordinate of points that may come near others [m]

  ContactPoints points() const { return {x, {}, radii}; }
};

using ContactsAt = std::shared_ptr<const ContactState>;

class ContactFinder {
 public:
  // rest: all points at rest. is_by_area: multiplicities of contacts are volumes (contact/weighting).
  ContactFinder(const CollisionMesh& mesh, const CandidateFilter& filter, NodeMap map, Points rest,
                double d_hat, const std::vector<CertifiedSurface>& certified = {}, bool is_by_area = false);
  ContactFinder(const ContactFinder&) = delete;
  ContactFinder& operator=(const ContactFinder&) = delete;

  // Answers with these settings from now on, and discards all that it kept.
  void start(ContactSettings settings);

  // Nodes will soon be asked about on this path: one search for pairs may do for all of it.
  void prefetch_pairs(const NodePath& path) { motion_.prefetch_pairs(path); }

  ContactsAt find(const VecX& n);

  // The step limit of the nodes before contact.
  StepLimit compute_limit(const NodePath& path) { return motion_.compute_limit(path); }

  // The place where these pairs of bodies first meet on a path (potentials/contact/contact_motion.h).
  Meeting find_meeting(const NodePath& path, const std::vector<IndexPair>& bodies) {
    return motion_.find_meeting(path, bodies);
  }

  double d_hat() const { return motion_.d_hat(); }
  const NodeMap& map() const { return motion_.map(); }
  const CollisionMesh& mesh() const { return motion_.mesh(); }
  const CullingReport& culling() const { return motion_.culling(); }

 private:
  void apply_stiffness(std::vector<Contact>& contacts) const;

  Points rest_;
  ContactSettings settings_;
  ContactMotion motion_;
  std::unique_ptr<const AreaWeights> areas_;  // null: contacts are pairs
  // The latest first: a line search and the choice of a start go back and forth.
  std::array<std::shared_ptr<ContactState>, 3> known_;
};

// The smallest gap among contacts; infinite if there are none. [m]
double compute_smallest_gap(const std::vector<Contact>& contacts);

}  // namespace marrow
