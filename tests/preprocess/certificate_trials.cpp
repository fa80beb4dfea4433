#include "preprocess/certificate_trials.h"

#include <cmath>
#include <limits>

#include "preprocess/certificates/certificates.h"
#include "preprocess/certificates/patch_certificate.h"
#include "preprocess/deforming_meshes.h"

namespace marrow {
namespace {

constexpr int kDraws = 12;

// Barycentric weights: inside, on an edge or at a corner.
Vec3 draw_weights(std::mt19937& random) {
  Vec3 w(draw(random, 0, 1), draw(random, 0, 1), draw(random, 0, 1));
  const int zeros = static_cast<int>(random() % 3);
  for (int k = 0; k < zeros; ++k) w[static_cast<Index>((random() + static_cast<unsigned>(k)) % 3)] = 0;
  if (!(w.sum() > 0)) w = Vec3(1, 0, 0);
  return w / w.sum();
}

// Of a point of each triangle: its weights, those of the second negative.
VecX make_weights(const Triangle& t, const Triangle& s, Index n, std::mt19937& random) {
  VecX a = VecX::Zero(n);
  const Vec3 alpha = draw_weights(random), beta = draw_weights(random);
  for (size_t k = 0; k < 3; ++k) {
    a[t[k]] += alpha[static_cast<Index>(k)];
    a[s[k]] -= beta[static_cast<Index>(k)];
  }
  return a;
}

bool share_vertex(const Triangle& t, const Triangle& s) {
  for (const Index v : t) {
    if (v == s[0] || v == s[1] || v == s[2]) return true;
  }
  return false;
}

Mat3 draw_map(std::mt19937& random) {
  Mat3 map;
  for (int i = 0; i < 9; ++i) map(i / 3, i % 3) = draw(random, -1, 1);
  return map + (random() % 2 == 0 ? 2.0 : 0.0) * Mat3::Identity();
}

}  // namespace

TrialCounts run_crossing_trials(const Mesh& mesh, size_t trials, unsigned seed) {
  CertificateOptions options;
  options.max_triangles = static_cast<Index>(mesh.triangles.size());
  const Certificates certificates = compute_certificates(mesh.points, mesh.triangles, options);
  const PatchTree& tree = certificates.tree;
  const RestShapes shapes(tree, options);
  const std::optional<PatchGreen> green =
      compute_patch_green(tree, collect_patch(tree, Index{0}), shapes.of_node(0).shape);
  TrialCounts counts;
  if (!green) return counts;
  SelfCollider collider(certificates);
  if (!collider.find(mesh.points, Culling::Plain).pairs.empty()) return counts;
  std::mt19937 random(seed);
  const auto n = static_cast<Index>(tree.rest.size());
  Points rest(mesh.points.size());
  for (size_t v = 0; v < tree.vertices.size(); ++v)
    rest[static_cast<size_t>(tree.vertices[v])] = tree.rest[v];
  while (counts.trials < trials) {
    // Of some pairs of points the one that costs least, so as to come near the certificate.
    VecX a, Ga;
    Vec3 gap = Vec3::Zero();
    double least = std::numeric_limits<double>::infinity();
    for (int draws = 0; draws < kDraws; ++draws) {
      const Triangle& t = tree.triangles[random() % tree.triangles.size()];
      const Triangle& s = tree.triangles[random() % tree.triangles.size()];
      if (share_vertex(t, s)) continue;
      const VecX weights = make_weights(t, s, n, random);
      const VecX compliance = green->G * weights;
      Vec3 way = Vec3::Zero();
      for (Index v = 0; v < n; ++v) way += weights[v] * tree.rest[static_cast<size_t>(v)];
      const double energy = way.squaredNorm() / weights.dot(compliance);
      if (energy >= least) continue;
      least = energy;
      a = weights;
      Ga = compliance;
      gap = way;
    }
    if (!(least < std::numeric_limits<double>::infinity())) continue;
    // u = −G a (Xᵀa)ᵀ / aᵀGa brings the two points together: nearly all the way or a little more, or part of
    // it.
    const bool is_near = counts.trials % 2 == 0;
    const double way =
        is_near ? 1 + draw(random, -1, 1) * std::pow(10, draw(random, -9, -1)) : draw(random, 0, 1);
    const Mat3 map = draw_map(random);
    const Vec3 shift(draw(random, -3, 3), draw(random, -3, 3), draw(random, -3, 3));
    Points x(mesh.points.size());
    for (Index v = 0; v < n; ++v) {
      const Vec3 moved = tree.rest[static_cast<size_t>(v)] - way * Ga[v] / a.dot(Ga) * gap;
      x[static_cast<size_t>(tree.vertices[static_cast<size_t>(v)])] = map * moved + shift;
    }
    const bool is_moving = counts.trials % 8 == 0;
    const auto find = [&](Culling culling) {
      if (!is_moving) return collider.find(x, culling);
      Points x0(rest.size());
      for (size_t v = 0; v < rest.size(); ++v) x0[v] = map * rest[v] + shift;
      return collider.find_swept(x0, x, culling);
    };
    collider.forget();
    const SelfCollisions plain = find(Culling::Plain);
    const SelfCollisions certified = find(Culling::Certified);
    ++counts.trials;
    counts.certified += certified.counts.leaf_tests == 0 ? 1 : 0;
    counts.colliding += plain.pairs.empty() ? 0 : 1;
    counts.unsound += plain.pairs != certified.pairs ? 1 : 0;
  }
  return counts;
}

}  // namespace marrow
