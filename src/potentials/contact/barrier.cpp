#include "potentials/contact/barrier.h"

#include <cmath>

#include "core/trace.h"
#include "exec/parallel.h"
#include "geometry/distance/mollifier.h"
#include "linalg/outer_products.h"
#include "potentials/contact/barrier_projection.h"
#include "potentials/contact/barrier_ramp.h"

namespace marrow {
namespace {

// The projected Hessian off the mollifier's ramp, in closed form.
LocalFactor factorize_closed(const Contact& contact, const PairBalls& balls, double scale) {
  const PairPoint& point = contact.point;
  const double norm2 = point.c.squaredNorm();
  const BarrierFunction& b = contact.barrier;
  const double b1 = scale * b.first / contact.s_hat, b2 = scale * b.second / (contact.s_hat * contact.s_hat);
  const SchurFactor schur = compute_schur_factor(point, make_directions(contact.shape, balls, point.region));
  const ProjectedFactor tangential = compute_projected_factor(point, schur, contact.shape.count);
  LocalFactor factor;
  // The factor along the normal is positive for this barrier, except for rounding.
  const double normal = std::sqrt(std::max(0.0, 4 * b2 * norm2 + 2 * b1) / norm2);
  for (int i = 0; i < contact.shape.count; ++i) factor.r[0][i] = (normal * point.w[i]) * point.c;
  factor.count = 1 + tangential.count;
  const double along = std::sqrt(std::max(0.0, -2 * b1));
  for (int k = 0; k < tangential.count; ++k) {
    for (int i = 0; i < contact.shape.count; ++i) factor.r[1 + k][i] = along * tangential.r[k][i];
  }
  return factor;
}

// The exact Hessian of b over a contact's points.
Mat12 compute_exact_hessian(const Contact& contact, const PairBalls& balls, double scale) {
  const BarrierFunction& b = contact.barrier;
  const double b1 = scale * b.first / contact.s_hat, b2 = scale * b.second / (contact.s_hat * contact.s_hat);
  const SchurFactor schur =
      compute_schur_factor(contact.point, make_directions(contact.shape, balls, contact.point.region));
  const Vec12 df = compute_squared_gradient(contact.point);
  return b2 * df * df.transpose() + b1 * compute_squared_hessian(contact.point, schur);
}

// Terms that weighting by area subtracts have a negative scale.
LocalFactor factorize(const Contact& contact, const ContactPoints& points, double kappa) {
  const PairBalls balls = gather_balls(contact.vertices, contact.shape.count, points.x, points.radii);
  const double scale = kappa * contact.multiplicity;
  if (scale < 0) return factorize_positive_part(compute_exact_hessian(contact, balls, scale));
  return contact.threshold > 0 ? factorize_ramp(contact, balls, scale)
                               : factorize_closed(contact, balls, scale);
}

void write_upper_blocks(const Mat12& H, int count, std::span<Mat3> blocks) {
  size_t at = 0;
  for (int a = 0; a < count; ++a) {
    for (int c = a; c < count; ++c) blocks[at++] = H.block<3, 3>(3 * a, 3 * c);
  }
}

// The exact Hessian off the ramp: 4b″ df dfᵀ and 2b′ (w wᵀ ⊗ I − Σ q qᵀ); and that of edges that cross.
void write_exact_blocks(const Contact& contact, const ContactPoints& points, double kappa,
                        std::span<Mat3> blocks) {
  const PairBalls balls = gather_balls(contact.vertices, contact.shape.count, points.x, points.radii);
  const double scale = kappa * contact.multiplicity;
  if (contact.is_crossing) return write_upper_blocks(scale * compute_ramp_hessian(contact, balls), 4, blocks);
  write_upper_blocks(compute_exact_hessian(contact, balls, scale), contact.shape.count, blocks);
}

// blocks = Σ r rᵀ over the contact's points, which are nodes.
void write_blocks(const LocalFactor& factor, int count, std::span<Mat3> blocks) {
  size_t at = 0;
  for (int a = 0; a < count; ++a) {
    for (int b = a; b < count; ++b) {
      Mat3 block = Mat3::Zero();
      for (int k = 0; k < factor.count; ++k) block.noalias() += factor.r[k][a] * factor.r[k][b].transpose();
      blocks[at++] = block;
    }
  }
}

}  // namespace

std::array<Vec3, 4> compute_local_gradient(const Contact& contact, const ContactPoints& points,
                                           double scale) {
  std::array<Vec3, 4> local;
  const BarrierFunction& b = contact.barrier;
  const double slope = 2 * scale * b.first / contact.s_hat;
  for (int i = 0; i < 4; ++i) local[i] = (slope * contact.point.w[i]) * contact.point.c;
  if (contact.threshold == 0) return local;
  const PairBalls balls = gather_balls(contact.vertices, 4, points.x, points.radii);
  if (!contact.is_crossing && is_level(balls)) {
    const LevelRamp e = compute_level_ramp(balls, contact.threshold);
    const std::array<Vec3, 4> de = e.compute_gradient();
    for (int i = 0; i < 4; ++i) local[i] = e.value * local[i] + scale * b.value * de[i];
    return local;
  }
  const MollifierDerivatives e = contact.is_crossing
                                     ? compute_crossing_derivatives(balls, contact.threshold)
                                     : compute_mollifier_derivatives(balls, contact.threshold);
  for (int i = 0; i < 4; ++i) local[i] = e.value * local[i] + scale * b.value * e.gradient.segment<3>(3 * i);
  return local;
}

double compute_barrier_energy(const std::vector<Contact>& contacts, const ContactPoints& points,
                              double kappa) {
  return kappa * exec::parallel_sum("barrier.value", contacts.size(), [&](size_t k) {
           const Contact& contact = contacts[k];
           const double b = contact.barrier.value;
           if (contact.threshold == 0) return contact.multiplicity * b;
           const PairBalls balls = gather_balls(contact.vertices, 4, points.x, points.radii);
           return contact.multiplicity * compute_ramp(contact, balls) * b;
         });
}

void set_barrier_stencils(const std::vector<Contact>& contacts, const NodeMap& map,
                          ContactStencils& stencils) {
  std::vector<std::span<const Index>> vertices(contacts.size());
  exec::parallel_for("barrier.vertices", contacts.size(),
                     [&](size_t k) { vertices[k] = vertices_of(contacts[k]); });
  stencils.set(vertices, map);
}

void update_barrier_gradients(const std::vector<Contact>& contacts, const ContactPoints& points,
                              const NodeMap& map, double kappa, ContactStencils& stencils) {
  exec::parallel_for(
      "barrier.gradient", stencils.group.stencil_count(),
      [&](size_t s) {
        const std::span<const Index> nodes = stencils.group.nodes_of(s);
        const std::span<Vec3> sum = stencils.group.gradient_of(s);
        thread_local std::vector<Vec3> share;
        share.resize(nodes.size());
        std::fill(sum.begin(), sum.end(), Vec3::Zero());
        for (const Index k : stencils.contacts_of(s)) {
          const Contact& contact = contacts[k];
          const std::array<Vec3, 4> local =
              compute_local_gradient(contact, points, kappa * contact.multiplicity);
          map.pull(vertices_of(contact), local, nodes, share);
          for (size_t a = 0; a < nodes.size(); ++a) sum[a] += share[a];
        }
      },
      stencils.grain());
}

void update_barrier_hessians(const std::vector<Contact>& contacts, const ContactPoints& points,
                             const NodeMap& map, double kappa, ContactStencils& stencils) {
  exec::parallel_for(
      "barrier.hessian", stencils.group.stencil_count(),
      [&](size_t s) {
        const std::span<Mat3> blocks = stencils.group.blocks_of(s);
        if (map.is_identity()) {  // each contact has its own stencil
          const Contact& contact = contacts[stencils.contacts_of(s).front()];
          return write_blocks(factorize(contact, points, kappa), contact.shape.count, blocks);
        }
        const std::span<const Index> nodes = stencils.group.nodes_of(s);
        thread_local OuterProducts sum;
        sum.start(nodes.size());
        for (const Index k : stencils.contacts_of(s)) {
          const LocalFactor factor = factorize(contacts[k], points, kappa);
          for (int i = 0; i < factor.count; ++i) {
            map.pull(vertices_of(contacts[k]), factor.r[i], nodes, sum.add_column());
          }
        }
        sum.write(blocks);
      },
      stencils.grain());
}

// Contacts on the mollifier's ramp stay projected; so do all contacts if some points are not nodes.
void update_exact_barrier_hessians(const std::vector<Contact>& contacts, const ContactPoints& points,
                                   const NodeMap& map, double kappa, ContactStencils& stencils) {
  if (!map.is_identity()) return update_barrier_hessians(contacts, points, map, kappa, stencils);
  exec::parallel_for(
      "barrier.hessian", stencils.group.stencil_count(),
      [&](size_t s) {
        const Contact& contact = contacts[stencils.contacts_of(s).front()];
        const std::span<Mat3> blocks = stencils.group.blocks_of(s);
        if (contact.threshold == 0 || contact.is_crossing)
          return write_exact_blocks(contact, points, kappa, blocks);
        write_blocks(factorize(contact, points, kappa), contact.shape.count, blocks);
      },
      stencils.grain());
}

double Barrier::compute_value(const VecX& n) const {
  const ContactsAt at = finder_.find(n);
  return compute_barrier_energy(at->contacts, at->points(), kappa_);
}

double Barrier::compute_magnitude(const VecX& n) const {
  // The rounding of coordinates changes c, and the steep b amplifies that change.
  const ContactsAt at = finder_.find(n);
  return kappa_ * exec::parallel_sum("barrier.magnitude", at->contacts.size(), [&](size_t k) {
           const Contact& contact = at->contacts[k];
           const BarrierFunction& b = contact.barrier;
           const double slope = 2 * b.first * contact.point.c.norm() / contact.s_hat;
           return std::abs(contact.multiplicity) * (b.value + std::abs(slope) * at->reach);
         });
}

void Barrier::update_stencils(const std::vector<Contact>& contacts) {
  std::vector<PairStencil> vertices(contacts.size());
  exec::parallel_for("barrier.vertices", contacts.size(),
                     [&](size_t k) { vertices[k] = contacts[k].vertices; });
  if (vertices == stencil_vertices_) return;
  set_barrier_stencils(contacts, finder_.map(), stencils_);
  stencil_vertices_ = std::move(vertices);
}

void Barrier::add_gradient(const VecX& n, double weight, VecX& g) {
  const ContactsAt at = finder_.find(n);
  update_stencils(at->contacts);
  update_barrier_gradients(at->contacts, at->points(), finder_.map(), weight * kappa_, stencils_);
  stencils_.group.add_gradient(g);
}

const StencilGroup* Barrier::update_hessian(const VecX& n, double weight) {
  const ContactsAt at = finder_.find(n);
  update_stencils(at->contacts);
  update_barrier_hessians(at->contacts, at->points(), finder_.map(), weight * kappa_, stencils_);
  return &stencils_.group;
}

const StencilGroup* Barrier::update_exact_hessian(const VecX& n, double weight) {
  const ContactsAt at = finder_.find(n);
  update_stencils(at->contacts);
  update_exact_barrier_hessians(at->contacts, at->points(), finder_.map(), weight * kappa_, stencils_);
  return &stencils_.group;
}

}  // namespace marrow
