#include "potentials/elastic/elasticity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "exec/parallel.h"
#include "math/polynomial.h"
#include "math/svd3_batch.h"
#include "potentials/materials/frame_hessian.h"
#include "potentials/materials/laws.h"
#include "potentials/materials/thin_materials.h"

namespace marrow {
namespace {

constexpr size_t kHessianGrain = 16;  // each takes about a microsecond [speed only]

struct InversionLimit {
  // The fraction of its volume that an element keeps in a step. More: shorter steps. [ablation: kept_volume]
  double kept_volume = 0.1;
  // Elements flatter than this do not become any flatter: below it rounding may invert them.
  // [derived: det F of stretches 1, 1, f is off by a few 2⁻⁵³; 10⁻¹⁰ leaves a factor of 10⁵]
  double flattest = 1e-10;
};
constexpr InversionLimit kInversion;

// Σ ∇w of an element counts as 0 below this fraction of Σ |∇w|. [derived: rounding of a sum of a few
// gradients is 10⁻¹⁵ of it, weights whose sum is not constant leave far more]
constexpr double kZeroSum = 1e-12;

// The smallest stretch over the largest, up to a factor of 3.
double compute_flatness(const Mat3& F) {
  Mat3 cofactors;
  for (int k = 0; k < 3; ++k) cofactors.col(k) = F.col((k + 1) % 3).cross(F.col((k + 2) % 3));
  return F.determinant() / (cofactors.norm() * F.norm());
}

// The largest step length, at most alpha, at which the element does not become too flat.
double keep_from_flatness(const Mat3& F, const Mat3& D, double alpha) {
  alpha = std::min(alpha, 1.0);
  const double least = std::min(kInversion.flattest, compute_flatness(F));
  while (alpha > 0 && !(compute_flatness(F + alpha * D) >= least)) alpha *= 0.5;
  return alpha;
}

// Calls f with the law of an element's material.
template <class Function>
auto visit_law(const Material& material, int dimension, const Function& f) {
  if (dimension == 3) [[likely]]
    return visit_guarded_material(material, f);
  if (dimension == 2) return f(Membrane(material.lame_mu, material.lame_lambda));
  return f(Strand(material.lame_mu, material.lame_lambda));
}

// Stencils of more nodes go through ∂²Ψ/∂F² in the world's axes: 6 blocks per element, then 27 products per
// pair of nodes instead of about 110. [derived: at four nodes, six pairs, nothing is saved]
constexpr size_t kFewNodes = 4;

// The same as add_blocks for many nodes: Σ_jl g_a[j] g_b[l] C_jl with C_jl = ∂²Ψ/∂F_·j ∂F_·l.
void add_blocks_by_axes(const FrameHessian& h, const Svd3& svd, double scale, bool sums_to_zero,
                        bool is_first, std::span<const Vec3> gradients, std::span<Mat3> blocks) {
  std::array<std::array<Mat3, 3>, 3> C;
  for (int j = 0; j < 3; ++j) {
    const Vec3 gj = scale * svd.V.row(j).transpose();
    for (int l = j; l < 3; ++l) {
      const Mat3 local = compute_local_block(h, gj, svd.V.row(l).transpose());
      C[j][l] = (svd.U * local) * svd.U.transpose();
      if (l != j) C[l][j] = C[j][l].transpose();
    }
  }
  const size_t count = gradients.size();
  const size_t first = sums_to_zero ? 1 : 0;
  size_t at = first * count;
  for (size_t a = first; a < count; ++a) {
    const Vec3& ga = gradients[a];
    std::array<Mat3, 3> T;
    for (size_t l = 0; l < 3; ++l) T[l] = ga[0] * C[0][l] + ga[1] * C[1][l] + ga[2] * C[2][l];
    for (size_t b = a; b < count; ++b, ++at) {
      const Vec3& gb = gradients[b];
      if (is_first) {
        blocks[at] = gb[0] * T[0] + gb[1] * T[1] + gb[2] * T[2];
      } else {
        blocks[at] += gb[0] * T[0] + gb[1] * T[1] + gb[2] * T[2];
      }
    }
  }
}

// Adds all blocks of one element to those of its stencil, or writes them if it is the first of the stencil.
// If a translation causes no strain (Σ ∇w = 0, as in a soft body), the first node's blocks are left out:
// finish_blocks makes them.
void add_blocks(const FrameHessian& h, const Svd3& svd, double scale, bool sums_to_zero, bool is_first,
                std::span<const Vec3> gradients, std::span<Mat3> blocks) {
  const size_t count = gradients.size();
  const size_t first = sums_to_zero ? 1 : 0;
  size_t at = first * count;
  for (size_t a = first; a < count; ++a) {
    const Vec3 ga = scale * (svd.V.transpose() * gradients[a]);
    for (size_t b = a; b < count; ++b) {
      const Mat3 local = compute_local_block(h, ga, svd.V.transpose() * gradients[b]);
      const Mat3 block = (svd.U * local) * svd.U.transpose();
      if (is_first) {
        blocks[at++] = block;
      } else {
        blocks[at++] += block;
      }
    }
  }
}

// The first node's blocks are minus the sum of the others': for a tet six blocks are computed instead of ten.
void finish_blocks(size_t count, std::span<Mat3> blocks) {
  for (size_t b = 0; b < count; ++b) blocks[b].setZero();
  size_t at = count;
  for (size_t a = 1; a < count; ++a) {
    for (size_t b = a; b < count; ++b) {
      // Column sums: block (0, b) loses (a, b), and (0, a) loses (b, a).
      const Mat3& block = blocks[at++];
      blocks[b] -= block;
      if (b != a) blocks[a] -= block.transpose();
    }
  }
  for (size_t b = 1; b < count; ++b) blocks[0] -= blocks[b];
}

// True if Σ ∇w = 0 for every element.
bool has_zero_sums(const Elements& elements) {
  for (size_t e = 0; e < elements.count(); ++e) {
    Vec3 sum = Vec3::Zero();
    double size = 0;
    for (Index k = elements.offsets[e]; k < elements.offsets[e + 1]; ++k) {
      sum += elements.gradients[k];
      size += elements.gradients[k].norm();
    }
    if (sum.norm() > kZeroSum * size) return false;
  }
  return true;
}

// det(F + t D) as a cubic in t.
Cubic compute_volume_path(const Mat3& F, const Mat3& D) {
  const auto det = [](const Vec3& a, const Vec3& b, const Vec3& c) { return a.cross(b).dot(c); };
  const Vec3 f0 = F.col(0), f1 = F.col(1), f2 = F.col(2);
  const Vec3 d0 = D.col(0), d1 = D.col(1), d2 = D.col(2);
  return {{det(f0, f1, f2), det(d0, f1, f2) + det(f0, d1, f2) + det(f0, f1, d2),
           det(f0, d1, d2) + det(d0, f1, d2) + det(d0, d1, f2), det(d0, d1, d2)}};
}

// The square of the area (length) along the path F + t D of an element of dimension 2 (1), per rest area.
Quartic compute_squared_measure_path(const Mat3& F, const Mat3& D, int dimension) {
  if (dimension == 1) return {{F.squaredNorm(), 2 * F.cwiseProduct(D).sum(), D.squaredNorm(), 0, 0}};
  // cof(F + t D) = C₀ + t C₁ + t² C₂
  const Mat3 C0 = compute_cofactor(F), C2 = compute_cofactor(D);
  const Mat3 C1 = compute_cofactor(F + D) - C0 - C2;
  const auto dot = [](const Mat3& A, const Mat3& B) { return A.cwiseProduct(B).sum(); };
  return {{dot(C0, C0), 2 * dot(C0, C1), dot(C1, C1) + 2 * dot(C0, C2), 2 * dot(C1, C2), dot(C2, C2)}};
}

}  // namespace

const char* Elasticity::name() const {
  constexpr const char* kNames[] = {"wires", "shells", "elasticity"};
  return kNames[elements_.dimension - 1];
}

Elasticity::Elasticity(const Elements& elements, const std::vector<Material>& materials, Index node_count)
    : elements_(elements), materials_(materials), sums_to_zero_(has_zero_sums(elements)) {
  std::vector<Index> offsets = {0}, nodes;
  const auto nodes_of = [&](size_t e) {
    return std::span(elements.nodes)
        .subspan(static_cast<size_t>(elements.offsets[e]),
                 static_cast<size_t>(elements.offsets[e + 1] - elements.offsets[e]));
  };
  for (size_t e = 0; e < elements.count(); ++e) {
    const auto own = nodes_of(e);
    if (e > 0 && std::ranges::equal(own, nodes_of(e - 1))) continue;
    firsts_.push_back(e);
    nodes.insert(nodes.end(), own.begin(), own.end());
    offsets.push_back(static_cast<Index>(nodes.size()));
  }
  firsts_.push_back(elements.count());
  group_.set_stencils(std::move(offsets), std::move(nodes), node_count);
}

std::vector<Index> Elasticity::list_stencil_materials() const {
  std::vector<Index> list;
  for (size_t s = 0; s + 1 < firsts_.size(); ++s) list.push_back(elements_.materials[firsts_[s]]);
  return list;
}

double compute_elastic_energy(const Elements& elements, const std::vector<Material>& materials,
                              const VecX& n) {
  return exec::parallel_sum("elasticity.value", elements.count(), [&](size_t e) {
    const Mat3 F = compute_deformation_gradient(elements, e, n);
    const Material& material = materials[elements.materials[e]];
    return elements.volumes[e] *
           visit_law(material, elements.dimension, [&](const auto& m) { return m.energy(F); });
  });
}

double Elasticity::compute_value(const VecX& n) const {
  return compute_elastic_energy(elements_, materials_, n);
}

double Elasticity::compute_magnitude(const VecX& n) const {
  return exec::parallel_sum("elasticity.magnitude", elements_.count(), [&](size_t e) {
    const Mat3 F = compute_deformation_gradient(elements_, e, n);
    const Material& material = materials_[elements_.materials[e]];
    if (elements_.dimension == 2) {  // the terms of a membrane's energy cancel to first order
      return elements_.volumes[e] * (material.lame_mu + std::abs(material.lame_lambda)) *
             (3 + F.squaredNorm());
    }
    // The change of F due to the rounding of positions, in units of that rounding.
    double scale = 0;
    for (Index k = elements_.offsets[e]; k < elements_.offsets[e + 1]; ++k) {
      scale += n.segment<3>(3 * elements_.nodes[k]).norm() * elements_.gradients[k].norm();
    }
    const auto magnitude = [&](const auto& m) {
      return std::abs(m.energy(F)) + scale * Mat3(m.stress(F)).norm();
    };
    return elements_.volumes[e] * visit_law(material, elements_.dimension, magnitude);
  });
}

void Elasticity::add_gradient(const VecX& n, double weight, VecX& g) {
  exec::parallel_for("elasticity.gradient", group_.stencil_count(), [&](size_t s) {
    const std::span<Vec3> local = group_.gradient_of(s);
    for (size_t e = firsts_[s]; e < firsts_[s + 1]; ++e) {
      const Mat3 F = compute_deformation_gradient(elements_, e, n);
      const Material& material = materials_[elements_.materials[e]];
      const Mat3 P = visit_law(material, elements_.dimension, [&](const auto& m) { return m.stress(F); });
      const Mat3 scaled = (weight * elements_.volumes[e]) * P;
      for (size_t a = 0; a < local.size(); ++a) {
        const Vec3 force = scaled * elements_.gradients[elements_.offsets[e] + static_cast<Index>(a)];
        if (e == firsts_[s]) {
          local[a] = force;
        } else {
          local[a] += force;
        }
      }
    }
  });
  group_.add_gradient(g);
}

template <class Function>
void Elasticity::write_hessian(const VecX& n, double weight, const Function& make_frame_hessian) {
  const auto write = [&](size_t s, size_t e, const Svd3& svd) {
    const Material& material = materials_[elements_.materials[e]];
    const FrameHessian h = make_frame_hessian(
        visit_law(material, elements_.dimension, [&](const auto& m) { return m.stretch_hessian(svd.s); }));
    const size_t count = group_.nodes_of(s).size();
    const auto add = count > kFewNodes ? add_blocks_by_axes : add_blocks;
    add(h, svd, weight * elements_.volumes[e], sums_to_zero_, e == firsts_[s],
        {elements_.gradients.data() + elements_.offsets[e], count}, group_.blocks_of(s));
  };
  const size_t stencils = group_.stencil_count();
  exec::parallel_for(
      "elasticity.hessian", (stencils + kHessianGrain - 1) / kHessianGrain,
      [&](size_t chunk) {
        std::array<Mat3, kHessianGrain> F;
        std::array<Svd3, kHessianGrain> svds;
        size_t s = chunk * kHessianGrain;
        const size_t first_stencil = s, last_stencil = std::min(s + kHessianGrain, stencils);
        for (size_t first = firsts_[s]; first < firsts_[last_stencil]; first += kHessianGrain) {
          const size_t count = std::min(kHessianGrain, firsts_[last_stencil] - first);
          for (size_t k = 0; k < count; ++k) F[k] = compute_deformation_gradient(elements_, first + k, n);
          compute_svds(std::span(F).first(count), std::span(svds).first(count));
          for (size_t k = 0; k < count; ++k) {
            while (first + k >= firsts_[s + 1]) ++s;
            write(s, first + k, svds[k]);
          }
        }
        if (!sums_to_zero_) return;
        for (s = first_stencil; s < last_stencil; ++s)
          finish_blocks(group_.nodes_of(s).size(), group_.blocks_of(s));
      },
      1);
}

const StencilGroup* Elasticity::update_hessian(const VecX& n, double weight) {
  write_hessian(n, weight, make_projected);
  return &group_;
}

const StencilGroup* Elasticity::update_exact_hessian(const VecX& n, double weight) {
  write_hessian(n, weight, make_exact);
  return &group_;
}

StepLimit Elasticity::compute_step_limit(const NodePath& path) const {
  const double alpha = exec::parallel_min("elasticity.inversion", elements_.count(), 1.0, [&](size_t e) {
    const Mat3 F = compute_deformation_gradient(elements_, e, path.start);
    const Mat3 D = compute_gradient(elements_, e, path.direction);
    if (elements_.dimension < 3) {
      Quartic measure = compute_squared_measure_path(F, D, elements_.dimension);
      measure.c[0] *= 1 - kInversion.kept_volume * kInversion.kept_volume;
      return find_first_nonpositive_quartic(measure);
    }
    Cubic volume = compute_volume_path(F, D);
    volume.c[0] *= 1 - kInversion.kept_volume;
    // Early exit for most elements: even the sum of all negative terms keeps the volume positive.
    double least = volume.c[0];
    for (int k = 1; k < 4; ++k) least += std::min(volume.c[k], 0.0);
    if (least > 0) return std::numeric_limits<double>::infinity();
    return keep_from_flatness(F, D, find_first_nonpositive(volume));
  });
  if (alpha < 1) return {alpha, LimitCause::Inversion};
  return {};
}

}  // namespace marrow
