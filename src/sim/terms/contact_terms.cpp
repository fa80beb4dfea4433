#include "sim/terms/contact_terms.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "kinematics/joined.h"
#include "math/barrier_function.h"

namespace marrow {
namespace {

// How κ is chosen.
struct StiffnessHeuristics {
  // The least κ: the barrier's curvature at a gap of this fraction of the reference length is this many times
  // the resistance of a node. More: larger gaps, steeper walls. [paper: thesis of IPC, appendix A.6]
  double unit_gap = 1e-8;
  double unit_curvature = 1e11;
  // The upper limit of that gap squared, over d̂². [derived: a tenth of d̂, inside the barrier whatever d̂
  // is]
  double largest_unit = 0.01;
  // κ of the gradient balance is at most this many times the least one. 1: it is the least one.
  // [ablation: kappa_balance]
  double balance_range = 100;
  // κ doubles while the smallest gap is below these fractions of the reference length and of d̂, and still
  // shrinks. 0: never. [paper: thesis of IPC, appendix A.6; of d̂ so that a tiny d̂ is no tiny gap. ablation:
  // kappa_doubling]
  double tiny_gap = 1e-9;
  double tiny_part = 1e-3;
  // κ doubles to at most this many times the least κ. [safety net: far from the largest number]
  double largest_range = 1e8;
  // Contact by area: κ is what presses the mass per area of a body with the acceleration d̂/h², times this,
  // plus its contact modulus. More: light bodies keep larger gaps. [derived: a body that comes with ten d̂ per
  // step stops where b = 2, at half of d̂ squared]
  double area_inertia = 25;
  // The least d̂ of two bodies, in d̂: with a thinner barrier, an impact of 1 m/s can no longer be solved.
  // Bodies that start closer are pushed apart. [measured: tests/scenes/squeezed_test.cpp, gaps of 1e-7 to
  // 1e-9 m]
  double least_activation = 0.01;
};
constexpr StiffnessHeuristics kStiffness;

// How sliding contacts are held back.
struct SlidingHeuristics {
  // The fraction of the secant's curvature that a sliding contact gets after a step was halved. [measured:
  // Newton iterations of 20 steps of examples/ipc/rollers.json, friction 0.5: 578 without, 450 with 0.1, 407
  // with 0.3, 752 with 1]
  double majoriser_share = 0.3;
  // After this many iterations without a halving the share is left out again, because it slows the last ones.
  // [measured: a heap of 16 boxes, 10.3 iterations a step instead of 11.6]
  int trusted = 3;
};
constexpr SlidingHeuristics kSliding;

// κ per kilogram of a node's resistance: the barrier's curvature is 4 d² b″(d²/ŝ)/ŝ² at a gap d.
double compute_unit_stiffness(double diagonal, double s_hat) {
  const double squared =
      std::min(std::pow(kStiffness.unit_gap * diagonal, 2), kStiffness.largest_unit * s_hat);
  return kStiffness.unit_curvature /
         (4 * squared * compute_barrier_function(squared / s_hat).second / (s_hat * s_hat));
}

}  // namespace

CollisionMesh build_collision_mesh(const Kinematics& kinematics) {
  CollisionMesh mesh = build_collision_mesh(join_colliders(kinematics));
  mesh.bodies = list_bodies_of_points(kinematics);
  mesh.is_planar = is_planar(kinematics);
  // Render-only points belong to no collision simplex, but they are not loose points.
  const std::vector<std::uint8_t> is_seen = flag_seen_points(kinematics);
  std::erase_if(mesh.loose, [&](Index i) { return is_seen[static_cast<size_t>(i)] != 0; });
  return mesh;
}

namespace {

CollisionMesh make_mesh(const Model& model) {
  CollisionMesh mesh = build_collision_mesh(model.kinematics);
  mesh.has_vertex_wires = model.contact.is_by_area;
  return mesh;
}

}  // namespace

CandidateFilter make_candidate_filter(const Model& model) {
  CandidateFilter filter;
  filter.ignored_bodies = model.contact.ignored_bodies;
  filter.fixed = flag_obstacle_points(model.kinematics);
  filter.overlapping = model.contact.overlapping;
  return filter;
}

bool keeps_any_apart(const Model& model) {
  const std::vector<Body>& bodies = model.kinematics.bodies;
  const auto is_obstacle = [&](Index b) { return bodies[static_cast<size_t>(b)].is_obstacle(); };
  const auto count_pairs = [](size_t count) { return count * (count + 1) / 2; };
  const auto obstacles = static_cast<size_t>(
      std::count_if(bodies.begin(), bodies.end(), [](const Body& body) { return body.is_obstacle(); }));
  const auto& ignored = model.contact.ignored_bodies;
  const auto left_out =
      static_cast<size_t>(std::count_if(ignored.begin(), ignored.end(), [&](const IndexPair& pair) {
        return !is_obstacle(pair[0]) || !is_obstacle(pair[1]);
      }));
  return model.contact.is_enabled && count_pairs(bodies.size()) - count_pairs(obstacles) > left_out;
}

ContactTerms::ContactTerms(const Model& model, std::vector<BodyResistance> resistances)
    : model_(model),
      resistances_(std::move(resistances)),
      tiny_gap_(std::min(kStiffness.tiny_gap * model.contact.reference_length,
                         kStiffness.tiny_part * model.contact.d_hat)),
      finder_(make_mesh(model), make_candidate_filter(model), NodeMap(model.kinematics),
              join_rest_meshes(model.kinematics).points, model.contact.d_hat, model.contact.certified,
              model.contact.is_by_area),
      barrier_(finder_),
      friction_(model.contact, finder_.map(), list_bodies_of_points(model.kinematics)) {}

// The factors of the least stiffness, by body. The least stiffness is kept.
std::vector<double> ContactTerms::choose_least_stiffness(double scale) {
  const double s_hat = model_.contact.d_hat * model_.contact.d_hat;
  const double unit =
      model_.contact.is_by_area ? 1 : compute_unit_stiffness(model_.contact.reference_length, s_hat);
  std::vector<double> factors;
  least_stiffness_ = std::numeric_limits<double>::infinity();
  for (const BodyResistance& body : resistances_) {
    const double resistance =
        model_.contact.is_by_area
            ? kStiffness.area_inertia * body.mass_per_area * model_.contact.d_hat + scale * body.modulus
            : body.mass + scale * body.stiffness;
    factors.push_back(resistance > 0 ? unit * resistance : std::numeric_limits<double>::infinity());
    least_stiffness_ = std::min(least_stiffness_, factors.back());
  }
  if (!std::isfinite(least_stiffness_)) least_stiffness_ = unit;  // obstacles only
  for (double& factor : factors) factor = model_.contact.kappa ? 1 : factor / least_stiffness_;
  return factors;
}

void ContactTerms::start_step(const NodePath& expected, double h, double scale,
                              const std::vector<PairActivation>& activations) {
  const VecX& n = expected.start;
  finder_.start({activations, choose_least_stiffness(scale)});
  finder_.prefetch_pairs(expected);
  barrier_.set_stiffness(model_.contact.kappa ? *model_.contact.kappa * scale : least_stiffness_);
  friction_.set_start(n, h * model_.contact.epsilon_v);
  last_gap_ = compute_gap(n);
  start_solve();
}

void ContactTerms::update_activations(const VecX& n, bool is_first,
                                      std::vector<PairActivation>& activations) {
  if (!is_first && activations.empty()) return;
  finder_.start({});
  const ContactsAt at = finder_.find(n);
  const double d_hat = finder_.d_hat();
  const std::vector<Index>& bodies = finder_.mesh().bodies;
  std::map<IndexPair, double> gaps;  // of bodies closer than d̂
  for (const Contact& contact : at->contacts) {
    const auto [a, b] =
        std::minmax(bodies[contact.vertices[0]], bodies[contact.vertices[contact.shape.front]]);
    if (a == b) continue;
    double& gap = gaps.try_emplace({a, b}, d_hat).first->second;
    gap = std::min(gap, contact.point.compute_gap());
  }
  if (is_first) {
    activations.clear();
    for (const auto& [pair, gap] : gaps)
      activations.push_back({pair[0], pair[1], std::max(gap, kStiffness.least_activation * d_hat)});
  }
  for (PairActivation& pair : activations) {
    const auto found = gaps.find({pair.a, pair.b});
    if (found == gaps.end()) pair.d_hat = d_hat;
    if (found != gaps.end()) pair.d_hat = std::max(pair.d_hat, found->second);
  }
  std::erase_if(activations, [&](const PairActivation& pair) { return pair.d_hat >= d_hat; });
}

void ContactTerms::choose_stiffness(const VecX& n, const VecX& others, const std::vector<char>& is_fixed) {
  // By area it is that of the bodies: it must not depend on how many points are near.
  if (model_.contact.is_by_area) return barrier_.set_stiffness(least_stiffness_);
  barrier_.set_stiffness(1);
  VecX contact = VecX::Zero(n.size());
  barrier_.add_gradient(n, 1, contact);
  for (size_t i = 0; i < is_fixed.size(); ++i) {
    if (is_fixed[i]) contact.segment<3>(3 * static_cast<Index>(i)).setZero();
  }
  const double square = contact.squaredNorm();
  const double balanced = square > 0 ? -contact.dot(others) / square : 0;
  barrier_.set_stiffness(std::clamp(balanced, least_stiffness_, kStiffness.balance_range * least_stiffness_));
}

void ContactTerms::start_solve() {
  whole_steps_ = 0;
  friction_.set_sliding_majoriser(0);
}

bool ContactTerms::watch_iteration(const VecX& n, const StepLength& length) {
  whole_steps_ = length.halvings > 0 ? 0 : whole_steps_ + 1;
  if (whole_steps_ == 0) friction_.set_sliding_majoriser(kSliding.majoriser_share);
  if (whole_steps_ == kSliding.trusted) friction_.set_sliding_majoriser(0);
  const double gap = compute_gap(n);
  const bool is_tiny = gap < tiny_gap_ && last_gap_ < tiny_gap_ && gap < last_gap_;
  last_gap_ = gap;
  if (!is_tiny || model_.contact.kappa) return false;
  barrier_.set_stiffness(std::min(2 * barrier_.stiffness(), kStiffness.largest_range * least_stiffness_));
  return true;
}

void ContactTerms::update_friction(const VecX& n, double stiffness) {
  if (!has_friction()) return;
  if (stiffness > 0) {
    friction_.set_contacts(*finder_.find(n), stiffness);
  } else {
    friction_.set_contacts({}, 0);
  }
}

}  // namespace marrow
