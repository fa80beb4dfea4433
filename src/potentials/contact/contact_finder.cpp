#include "potentials/contact/contact_finder.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"
#include "potentials/contact/contact_stencils.h"

namespace marrow {

ContactFinder::ContactFinder(const CollisionMesh& mesh, const CandidateFilter& filter, NodeMap map,
                             Points rest, double d_hat, const std::vector<CertifiedSurface>& certified,
                             bool is_by_area)
    : rest_(std::move(rest)), motion_(mesh, filter, std::move(map), rest_, d_hat, certified) {
  if (is_by_area) areas_ = std::make_unique<AreaWeights>(mesh, filter, rest_, d_hat);
}

void ContactFinder::start(ContactSettings settings) {
  settings_ = std::move(settings);
  motion_.reset();
  known_ = {};
}

ContactsAt ContactFinder::find(const VecX& n) {
  const auto is_of_n = [&](const auto& state) {
    return state != nullptr && state->n.size() == n.size() && state->n == n;
  };
  const auto found = std::find_if(known_.begin(), known_.end(), is_of_n);
  if (found != known_.end()) {
    std::rotate(known_.begin(), found, found + 1);
    return known_.front();
  }
  // The oldest entry is replaced. Its memory is reused unless a caller still holds it.
  std::rotate(known_.begin(), known_.end() - 1, known_.end());
  std::shared_ptr<ContactState>& state = known_.front();
  if (state == nullptr || state.use_count() > 1) state = std::make_shared<ContactState>();
  state->n = n;
  const PairStencils& pairs = motion_.move_to(n, state->x);
  state->reach = motion_.compute_reach(state->x);
  state->radii = mesh().radii;
  const ContactPoints points = {state->x, rest_, mesh().radii, mesh().bodies, settings_.activations};
  state->contacts = areas_ ? build_area_contacts(points, pairs, d_hat(), *areas_)
                           : build_contact_set(points, pairs, d_hat());
  apply_stiffness(state->contacts);
  return state;
}

void ContactFinder::apply_stiffness(std::vector<Contact>& contacts) const {
  const std::vector<Index>& bodies = mesh().bodies;
  const std::vector<double>& factors = settings_.stiffness;
  if (factors.empty() || bodies.empty()) return;
  exec::parallel_for("contact.stiffness", contacts.size(), [&](size_t k) {
    const std::span<const Index> vertices = vertices_of(contacts[k]);
    const double factor = std::min(factors[bodies[vertices.front()]], factors[bodies[vertices.back()]]);
    if (std::isfinite(factor)) contacts[k].multiplicity *= factor;  // else both are obstacles
  });
}

double compute_smallest_gap(const std::vector<Contact>& contacts) {
  return exec::parallel_min("contact.gap", contacts.size(), std::numeric_limits<double>::infinity(),
                            [&](size_t k) { return contacts[k].point.compute_gap(); });
}

}  // namespace marrow
