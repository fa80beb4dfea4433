#include "sim/remesh/split_gain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exec/parallel.h"
#include "math/svd3.h"
#include "mesh/surface.h"
#include "potentials/materials/frame_hessian.h"
#include "potentials/materials/laws.h"

namespace marrow {
namespace {

// An element at the end of the step.
struct StrainedTet {
  std::array<Vec3, 4> gradients;  // of the corners' coordinates, in the order of the tet [1/m]
  double volume = 0;              // at rest
  Mat3 stress;                    // P
  FrameHessian hessian;
  Mat3 U, V;

  Mat3 contract(const Vec3& g) const {
    const Vec3 local = V.transpose() * g;
    return U * compute_local_block(hessian, local, local) * U.transpose();
  }
};

size_t find_first_element(const Elements& elements, const Body& body) {
  size_t first = 0;
  while (elements.nodes[elements.offsets[first]] < body.first_node) ++first;
  return first;
}

StrainedTet strain_tet(const Elements& elements, size_t e, const Body& body, const Tet& tet,
                       const Material& material, const VecX& n) {
  StrainedTet out;
  for (size_t k = 0; k < 4; ++k) {
    for (Index i = elements.offsets[e]; i < elements.offsets[e + 1]; ++i) {
      if (elements.nodes[i] == body.first_node + tet[k]) out.gradients[k] = elements.gradients[i];
    }
  }
  out.volume = elements.volumes[e];
  const Mat3 F = compute_deformation_gradient(elements, e, n);
  const Svd3 svd = compute_svd3(F);
  out.U = svd.U;
  out.V = svd.V;
  visit_guarded_material(material, [&](const auto& law) {
    out.stress = law.stress(F);
    out.hessian = make_projected(law.stretch_hessian(svd.s));
    return 0;
  });
  return out;
}

// The pressing force per area at the points of the surface, and what the surface is around each edge.
struct TouchedSurface {
  std::vector<Vec3> pull;     // gradient of contact per area [N/m² · scale]
  std::vector<char> touches;  // by point
  Buckets<Index> triangles;   // of each point
};

TouchedSurface find_touched(const SolvedStep& step, const Body& body) {
  TouchedSurface surface;
  const size_t count = body.rest.points.size();
  std::vector<double> areas(count, 0);
  surface.triangles = fill_buckets<Index>(count, [&](const auto& visit) {
    for (size_t t = 0; t < body.rest.triangles.size(); ++t) {
      for (const Index i : body.rest.triangles[t]) visit(i, static_cast<Index>(t));
    }
  });
  for (const Triangle& triangle : body.rest.triangles) {
    const Points& x = body.rest.points;
    const double area = 0.5 * (x[triangle[1]] - x[triangle[0]]).cross(x[triangle[2]] - x[triangle[0]]).norm();
    for (const Index i : triangle) areas[i] += area / 3;
  }
  for (size_t i = 0; i < count; ++i) {
    const Vec3 force = step.contact.segment<3>(3 * (body.first_node + static_cast<Index>(i)));
    surface.touches.push_back(force.isZero(0) ? 0 : 1);
    surface.pull.push_back(areas[i] > 0 ? Vec3(force / areas[i]) : Vec3(Vec3::Zero()));
  }
  return surface;
}

// ½ gᵀ A⁻¹ g; infinity if A is not positive definite.
double half_energy(const Mat3& A, const Vec3& g) {
  if (g.isZero(0)) return 0;
  const Eigen::LLT<Mat3> factor(A);
  if (factor.info() != Eigen::Success) return std::numeric_limits<double>::infinity();
  const double energy = 0.5 * g.dot(factor.solve(g));
  return std::isfinite(energy) ? energy : std::numeric_limits<double>::infinity();
}

class GainBounds {
 public:
  GainBounds(const SolvedStep& step, const RemeshedBody& facts)
      : step_(step),
        facts_(facts),
        body_(step.terms.model.kinematics.bodies[facts.body]),
        surface_(find_touched(step, body_)) {
    const Elements& elements = step.terms.model.kinematics.elements;
    const size_t first = find_first_element(elements, body_);
    const std::vector<Tet>& tets = body_.rest.tets;
    strained_.resize(tets.size());
    exec::parallel_for(
        "remesh.strain", tets.size(),
        [&](size_t t) {
          strained_[t] = strain_tet(elements, first + t, body_, tets[t],
                                    step.terms.model.materials[facts.material], step.n);
        },
        16);
    tets_at_ = fill_buckets<Index>(body_.rest.points.size(), [&](const auto& visit) {
      for (size_t t = 0; t < tets.size(); ++t) {
        for (const Index i : tets[t]) visit(i, static_cast<Index>(t));
      }
    });
  }

  SplitGain bound(Edge edge) const {
    SplitGain gain;
    gain.edge = edge;
    const double scale = step_.plan.scale, inertia = step_.plan.inertia;
    Vec3 g = Vec3::Zero();
    Mat3 H = Mat3::Zero(), K = Mat3::Zero();
    for (const Index t : tets_at_.of(static_cast<size_t>(edge[0]))) {
      const Tet& tet = body_.rest.tets[t];
      const auto a = std::find(tet.begin(), tet.end(), edge[0]) - tet.begin();
      const auto b = std::find(tet.begin(), tet.end(), edge[1]) - tet.begin();
      if (b == 4) continue;
      const StrainedTet& own = strained_[t];
      const double mass = facts_.density * own.volume;
      const Vec3 p = own.gradients[static_cast<Index>(a)] + own.gradients[static_cast<Index>(b)];
      const Vec3 q = own.gradients[static_cast<Index>(a)] - own.gradients[static_cast<Index>(b)];
      const Mat3 fine = own.volume * own.contract(q);
      K += scale * fine;
      H += scale * (own.volume * own.contract(p) + fine) + inertia * mass / 10 * Mat3::Identity();
      g += scale * (own.volume * (own.stress * p) - mass / 4 * step_.terms.model.gravity);
      if (inertia > 0) g += inertia * mass / 40 * sum_inertia(tet, edge);
      gain.is_fixed = gain.is_fixed || is_prescribed(tet);
    }
    add_contact(edge, g, gain);
    gain.least = half_energy(H, g) / scale;
    gain.most = half_energy(K, g) / scale;
    return gain;
  }

 private:
  bool is_prescribed(Index point) const { return step_.terms.is_prescribed[body_.first_node + point] != 0; }
  template <size_t N>
  bool is_prescribed(const std::array<Index, N>& simplex) const {
    return std::all_of(simplex.begin(), simplex.end(), [&](Index i) { return is_prescribed(i); });
  }

  // 40/V ∫ φ (n − ñ) over the tet's two halves.
  Vec3 sum_inertia(const Tet& tet, Edge edge) const {
    Vec3 sum = Vec3::Zero();
    for (const Index i : tet) {
      const Index node = 3 * (body_.first_node + i);
      const double weight = i == edge[0] || i == edge[1] ? 3 : 2;
      sum += weight * (step_.n.segment<3>(node) - step_.plan.prediction.nodes.segment<3>(node));
    }
    return sum;
  }

  void add_contact(Edge edge, Vec3& g, SplitGain& gain) const {
    for (const Index t : surface_.triangles.of(static_cast<size_t>(edge[0]))) {
      const Triangle& triangle = body_.rest.triangles[t];
      if (std::find(triangle.begin(), triangle.end(), edge[1]) == triangle.end()) continue;
      gain.is_fixed = gain.is_fixed || is_prescribed(triangle);
      for (const Index i : triangle) gain.touches = gain.touches || surface_.touches[i] != 0;
      const Points& x = body_.rest.points;
      const double area =
          0.5 * (x[triangle[1]] - x[triangle[0]]).cross(x[triangle[2]] - x[triangle[0]]).norm();
      g += area / 3 * 0.5 * (surface_.pull[edge[0]] + surface_.pull[edge[1]]);
    }
  }

  const SolvedStep& step_;
  const RemeshedBody& facts_;
  const Body& body_;
  TouchedSurface surface_;
  std::vector<StrainedTet> strained_;
  Buckets<Index> tets_at_;
};

}  // namespace

std::vector<SplitGain> bound_split_gains(const SolvedStep& step, const RemeshedBody& facts) {
  const GainBounds bounds(step, facts);
  const std::vector<Edge> edges = unique_edges(step.terms.model.kinematics.bodies[facts.body].rest.tets);
  std::vector<SplitGain> gains(edges.size());
  exec::parallel_for(
      "remesh.bounds", edges.size(), [&](size_t e) { gains[e] = bounds.bound(edges[e]); }, 64);
  return gains;
}

}  // namespace marrow
