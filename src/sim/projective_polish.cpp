#include "sim/projective_polish.h"

#include <cmath>
#include <deque>

#include "core/trace.h"
#include "math/barrier_function.h"
#include "solve/newton_heuristics.h"

namespace marrow {
namespace {

struct PolishHeuristics {
  // Pairs that L-BFGS keeps. More: better directions late in a solve. [paper: Liu et al. 2017, section 4.2]
  size_t kept_pairs = 5;
  // Contacts that are worth a direction: their capacity matrix costs as much as a factorisation; and, where
  // the matrix is sparse, contacts times nodes, since every third contact is a solve. [speed only: else
  // Newton takes over]
  size_t most_rows = 1000;
  size_t most_sparse_work = 1'000'000;
};
constexpr PolishHeuristics kPolish;

// s = Δn and y = Δg of a step, and 1/(s·y).
struct StepPair {
  VecX s, y;
  double rho;
};

// The curvature of the barrier along the normals of all contacts.
std::vector<ContactRow> list_rows(StepTerms& terms, const VecX& n) {
  std::vector<ContactRow> rows;
  if (!terms.has_contact) return rows;
  const Kinematics& kinematics = terms.model.kinematics;
  const ContactsAt at = terms.contact.finder().find(n);
  const double kappa = terms.contact.barrier().stiffness();
  for (const Contact& contact : at->contacts) {
    const double squared = contact.point.c.squaredNorm();
    const BarrierFunction b = compute_barrier_function(contact.squared() / contact.s_hat);
    const double scale = kappa * contact.multiplicity;
    const double curvature = 4 * scale * b.second / (contact.s_hat * contact.s_hat) * squared +
                             2 * scale * b.first / contact.s_hat;
    if (!(curvature > 0)) continue;
    ContactRow row;
    row.direction = contact.point.c / std::sqrt(squared);
    for (int i = 0; i < contact.shape.count; ++i) {
      const Index point = contact.vertices[static_cast<size_t>(i)];
      const Body& body = kinematics.bodies[static_cast<size_t>(terms.point_bodies[point])];
      const Index w = point - body.first_point;
      for (Index k = body.W.offsets[w]; k < body.W.offsets[w + 1]; ++k) {
        row.nodes.push_back(body.first_node + body.W.indices[k]);
        row.weights.push_back(std::sqrt(curvature) * contact.point.w[static_cast<size_t>(i)] *
                              body.W.values[k]);
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// −H⁻¹ g by the two loops of L-BFGS, with B as the first matrix.
VecX find_direction(const std::deque<StepPair>& pairs, ContactInverse& inverse, const VecX& gradient) {
  VecX q = -gradient, direction;
  std::vector<double> shares;
  for (auto pair = pairs.rbegin(); pair != pairs.rend(); ++pair) {
    shares.push_back(pair->rho * pair->s.dot(q));
    q -= shares.back() * pair->y;
  }
  inverse.apply(q, direction);
  for (const StepPair& pair : pairs) {
    direction += (shares.back() - pair.rho * pair.y.dot(direction)) * pair.s;
    shares.pop_back();
  }
  return direction;
}

// The gradient over the nodes that projections move.
void update_gradient(StepTerms& terms, const VecX& n, VecX& gradient) {
  terms.objective.compute_gradient(n, gradient);
  clear_fixed(terms.is_prescribed, gradient);
}

bool is_short_enough(const StepTerms& terms, const VecX& n, const VecX& gradient, const VecX& direction,
                     double stop_length) {
  return terms.balance.assess(n, gradient).is_balanced() &&
         terms.balance.compute_promise(n, gradient, direction) <= kNewton.last_promise &&
         direction.lpNorm<Eigen::Infinity>() <= stop_length;
}

bool is_too_much(const StepTerms& terms, size_t rows) {
  const auto nodes = static_cast<size_t>(terms.model.kinematics.node_count);
  return rows > kPolish.most_rows ||
         (!terms.projection->is_dense() && rows * nodes > kPolish.most_sparse_work);
}

}  // namespace

NewtonReport polish(StepTerms& terms, const StepPlan& plan, VecX& n) {
  NewtonReport report;
  const int most = terms.model.projective.quasi_newton_iterations;
  if (most == 0 || !terms.joints.is_empty() || !terms.projection->moves_all_free()) return report;
  const trace::Scope scope("projective.polish");
  ContactInverse inverse = terms.projection->make_contact_inverse();
  std::deque<StepPair> pairs;
  VecX gradient, next;
  update_gradient(terms, n, gradient);
  while (report.iterations < most) {
    const std::vector<ContactRow> rows = list_rows(terms, n);
    if (is_too_much(terms, rows.size()) || !inverse.set_rows(rows)) break;
    const VecX direction = find_direction(pairs, inverse, gradient);
    const double slope = gradient.dot(direction);
    if (!(slope < 0)) break;
    // The last step is still taken, as Newton's is.
    const bool is_last = is_short_enough(terms, n, gradient, direction, terms.model.stop_length(plan.length));
    const VecX before = n;
    const StepLength length =
        search_and_move(terms.objective, {terms.objective.compute_value(n), slope}, {n, direction, {}}, n);
    if (length.alpha == 0) break;
    report.halvings += length.halvings;
    ++report.iterations;
    if (is_last) break;
    const bool is_changed = terms.has_contact && terms.contact.watch_iteration(n, length);
    update_gradient(terms, n, next);
    StepPair pair = {n - before, next - gradient, 0};
    const double product = pair.s.dot(pair.y);
    gradient.swap(next);
    // A pair that does not curve upwards, or is that of another objective, would spoil the directions.
    if (is_changed) {
      pairs.clear();
    } else if (product > 0) {
      pair.rho = 1 / product;
      pairs.push_back(std::move(pair));
      if (pairs.size() > kPolish.kept_pairs) pairs.pop_front();
    }
  }
  return report;
}

}  // namespace marrow
