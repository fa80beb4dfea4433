#include "sim/start/gap.h"

#include "kinematics/joined.h"
#include "potentials/contact/barrier.h"
#include "sim/terms/contact_terms.h"

namespace marrow {

GapMeter::GapMeter(const Model& model)
    : rest_(join_rest_meshes(model.kinematics).points),
      proximity_(build_collision_mesh(model.kinematics), make_candidate_filter(model), model.contact.d_hat) {}

std::optional<double> GapMeter::measure(const Points& points) {
  return measure(ContactPoints{points, rest_, proximity_.mesh().radii});
}

std::optional<double> GapMeter::measure_acting(const Points& points) {
  return measure(ContactPoints{points, rest_, proximity_.mesh().radii, proximity_.mesh().bodies});
}

std::optional<double> GapMeter::measure(const ContactPoints& points) {
  const PairStencils& pairs = proximity_.find_pairs({points.x, points.x, {}, {}});
  const std::vector<Contact> contacts = build_contact_set(points, pairs, proximity_.d_hat());
  if (contacts.empty()) return std::nullopt;
  return compute_smallest_gap(contacts);
}

}  // namespace marrow
