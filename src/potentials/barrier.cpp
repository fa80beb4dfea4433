#include "potentials/barrier.h"

#include "core/trace.h"
#include "exec/parallel.h"
#include "geometry/mollifier.h"
#include "math/psd.h"
#include "potentials/barrier_function.h"
#include "potentials/barrier_projection.h"

namespace marrow {
namespace {

// Blocks (a, b), a <= b, of a matrix over the contact's vertices.
void write_projected(const Mat12& H, std::span<Mat3> blocks) {
  const MatX projected = project_psd(MatX(H));
  size_t at = 0;
  for (int a = 0; a < 4; ++a) {
    for (int b = a; b < 4; ++b) blocks[at++] = projected.block<3, 3>(3 * a, 3 * b);
  }
}

// On the mollifier's ramp: the Hessian of e b(f/ŝ), projected by its eigenvalues.
void write_ramp_blocks(const Contact& contact, const PairBalls& balls, double scale, std::span<Mat3> blocks) {
  const MollifierDerivatives e = compute_mollifier_derivatives(balls, contact.threshold);
  const BarrierFunction b = compute_barrier_function(contact.squared() / contact.s_hat);
  const SchurFactor schur =
      compute_schur_factor(contact.point, make_directions(contact.shape, balls, contact.point.region));
  const Vec12 df = compute_squared_gradient(contact.point);
  const Mat12 d2f = compute_squared_hessian(contact.point, schur);
  const double b1 = b.first / contact.s_hat, b2 = b.second / (contact.s_hat * contact.s_hat);
  const Mat12 cross = b1 * df * e.gradient.transpose();
  const Mat12 H =
      e.value * (b2 * df * df.transpose() + b1 * d2f) + b.value * e.hessian + cross + cross.transpose();
  write_projected(scale * H, blocks);
}

// Away from the ramp: the closed form.
void write_closed_blocks(const Contact& contact, const PairBalls& balls, double scale,
                         std::span<Mat3> blocks) {
  const PairPoint& point = contact.point;
  const double norm2 = point.c.squaredNorm();
  const BarrierFunction b = compute_barrier_function(contact.squared() / contact.s_hat);
  const double b1 = scale * b.first / contact.s_hat, b2 = scale * b.second / (contact.s_hat * contact.s_hat);
  const SchurFactor schur = compute_schur_factor(point, make_directions(contact.shape, balls, point.region));
  const ProjectedFactor factor = compute_projected_factor(point, schur, contact.shape.count);
  // n nᵀ = c cᵀ/|c|²; the factor along the normal is positive for this barrier, but for rounding.
  const double normal = std::max(0.0, 4 * b2 * norm2 + 2 * b1) / norm2;
  const Mat3 outer = normal * point.c * point.c.transpose();
  size_t at = 0;
  for (int i = 0; i < contact.shape.count; ++i) {
    for (int j = i; j < contact.shape.count; ++j) {
      Mat3 block = (point.w[i] * point.w[j]) * outer;
      for (int k = 0; k < factor.count; ++k) block += (-2 * b1 * factor.r[k][i]) * factor.r[k][j].transpose();
      blocks[at++] = block;
    }
  }
}

void copy_points(const VecX& n, Points& x) {
  x.resize(static_cast<size_t>(n.size()) / 3);
  for (size_t i = 0; i < x.size(); ++i) x[i] = n.segment<3>(3 * static_cast<Index>(i));
}

bool has_same_vertices(const std::vector<Contact>& a, const std::vector<Contact>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Contact& p, const Contact& q) { return p.vertices == q.vertices; });
}

}  // namespace

double compute_barrier_energy(const std::vector<Contact>& contacts, const ContactPoints& points,
                              double kappa) {
  return kappa * exec::parallel_sum("barrier.value", contacts.size(), [&](size_t k) {
           const Contact& contact = contacts[k];
           const double b = compute_barrier_value(contact.squared() / contact.s_hat);
           if (contact.threshold == 0) return contact.multiplicity * b;
           const PairBalls balls = gather_balls(contact.vertices, 4, points.x, points.radii);
           return contact.multiplicity * compute_mollifier(balls, contact.threshold).value * b;
         });
}

void set_barrier_stencils(const std::vector<Contact>& contacts, Index vertex_count, StencilGroup& group) {
  std::vector<Index> offsets = {0}, nodes;
  offsets.reserve(contacts.size() + 1);
  nodes.reserve(4 * contacts.size());
  for (const Contact& contact : contacts) {
    nodes.insert(nodes.end(), contact.vertices.begin(), contact.vertices.begin() + contact.shape.count);
    offsets.push_back(static_cast<Index>(nodes.size()));
  }
  group.set_stencils(std::move(offsets), std::move(nodes), vertex_count);
}

void update_barrier_gradients(const std::vector<Contact>& contacts, const ContactPoints& points, double kappa,
                              StencilGroup& group) {
  exec::parallel_for("barrier.gradient", contacts.size(), [&](size_t k) {
    const Contact& contact = contacts[k];
    const std::span<Vec3> local = group.gradient_of(k);
    const BarrierFunction b = compute_barrier_function(contact.squared() / contact.s_hat);
    const double scale = kappa * contact.multiplicity;
    const double slope = 2 * scale * b.first / contact.s_hat;
    for (size_t i = 0; i < local.size(); ++i) local[i] = (slope * contact.point.w[i]) * contact.point.c;
    if (contact.threshold == 0) return;
    const MollifierDerivatives e = compute_mollifier_derivatives(
        gather_balls(contact.vertices, 4, points.x, points.radii), contact.threshold);
    for (int i = 0; i < 4; ++i)
      local[i] = e.value * local[i] + scale * b.value * e.gradient.segment<3>(3 * i);
  });
}

void update_barrier_hessians(const std::vector<Contact>& contacts, const ContactPoints& points, double kappa,
                             StencilGroup& group) {
  exec::parallel_for("barrier.hessian", contacts.size(), [&](size_t k) {
    const Contact& contact = contacts[k];
    const PairBalls balls = gather_balls(contact.vertices, contact.shape.count, points.x, points.radii);
    const double scale = kappa * contact.multiplicity;
    if (contact.threshold > 0) {
      write_ramp_blocks(contact, balls, scale, group.blocks_of(k));
    } else {
      write_closed_blocks(contact, balls, scale, group.blocks_of(k));
    }
  });
}

Barrier::Barrier(CollisionMesh mesh, CandidateFilter filter, Points rest, double d_hat)
    : rest_(std::move(rest)), proximity_(std::move(mesh), std::move(filter), d_hat) {}

void Barrier::reset() {
  proximity_.reset();
  n_.resize(0);
  stencil_contacts_.clear();
  group_.set_stencils({0}, {}, static_cast<Index>(rest_.size()));
}

const std::vector<Contact>& Barrier::contacts_at(const VecX& n) const {
  if (n_.size() == n.size() && n_ == n) return contacts_;
  n_ = n;
  copy_points(n, x_);
  contacts_ = build_contact_set(points(), proximity_.find_pairs(x_, x_), d_hat());
  return contacts_;
}

double Barrier::compute_value(const VecX& n) const {
  return compute_barrier_energy(contacts_at(n), points(), kappa_);
}

double Barrier::compute_magnitude(const VecX& n) const {
  // A coordinate's rounding changes c, and through the steep b much more.
  const std::vector<Contact>& contacts = contacts_at(n);
  const double reach = n.lpNorm<Eigen::Infinity>();
  return kappa_ * exec::parallel_sum("barrier.magnitude", contacts.size(), [&](size_t k) {
           const Contact& contact = contacts[k];
           const BarrierFunction b = compute_barrier_function(contact.squared() / contact.s_hat);
           const double slope = 2 * b.first * contact.point.c.norm() / contact.s_hat;
           return contact.multiplicity * (b.value + std::abs(slope) * reach);
         });
}

void Barrier::update_stencils() {
  if (has_same_vertices(contacts_, stencil_contacts_)) return;
  set_barrier_stencils(contacts_, static_cast<Index>(rest_.size()), group_);
  stencil_contacts_ = contacts_;
}

void Barrier::add_gradient(const VecX& n, double weight, VecX& g) {
  contacts_at(n);
  update_stencils();
  update_barrier_gradients(contacts_, points(), weight * kappa_, group_);
  group_.add_gradient(g);
}

const StencilGroup* Barrier::update_hessian(const VecX& n, double weight) {
  contacts_at(n);
  update_stencils();
  update_barrier_hessians(contacts_, points(), weight * kappa_, group_);
  return &group_;
}

StepLimit Barrier::compute_step_limit(const VecX& n, const VecX& direction) const {
  Points x0, x1;
  copy_points(n, x0);
  copy_points(n + direction, x1);
  return proximity_.compute_limit(x0, x1);
}

double compute_smallest_gap(const std::vector<Contact>& contacts) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contacts) smallest = std::min(smallest, contact.point.compute_gap());
  return smallest;
}

}  // namespace marrow
