#include "output/gap.h"

#include "output/witness.h"
#include "potentials/barrier.h"
#include "sim/contact_terms.h"

namespace marrow {
namespace {

CandidateFilter make_filter(const Model& model) {
  CandidateFilter filter;
  filter.ignored_bodies = model.contact.ignored_bodies;
  filter.fixed = flag_obstacle_points(model);
  return filter;
}

}  // namespace

GapMeter::GapMeter(const Model& model)
    : rest_(collect_rest_points(model.kinematics)),
      proximity_(build_collision_mesh(model.kinematics), make_filter(model), model.contact.d_hat) {}

std::optional<double> GapMeter::measure(const Points& points) {
  const PairStencils& pairs = proximity_.find_pairs(points, points);
  const std::vector<Contact> contacts =
      build_contact_set({points, rest_, proximity_.mesh().radii}, pairs, proximity_.d_hat());
  if (contacts.empty()) return std::nullopt;
  return compute_smallest_gap(contacts);
}

}  // namespace marrow
