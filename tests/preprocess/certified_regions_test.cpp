// What is certified to keep a distance keeps it: every corner and triangle, every two edges of a region.
#include "geometry/certificates/certified_regions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "geometry/distance/distance.h"
#include "preprocess/certificates/certificates.h"
#include "preprocess/deforming_meshes.h"

namespace marrow {
namespace {

bool are_apart(const std::array<Index, 4>& v, size_t split) {
  for (size_t i = 0; i < split; ++i) {
    for (size_t j = split; j < 4; ++j) {
      if (v[i] == v[j]) return false;
    }
  }
  return true;
}

double distance_of(PairKind kind, const std::array<Index, 4>& v, const Points& x) {
  PairBalls balls = {};
  for (size_t k = 0; k < 4; ++k) balls.x[k] = x[static_cast<size_t>(v[k])];
  return find_closest(kind, balls).c.norm();
}

// The least distance of two simplices without a common vertex, by brute force.
double find_least_distance(const std::vector<Triangle>& triangles, const Points& x) {
  double least = std::numeric_limits<double>::infinity();
  for (const Triangle& t : triangles) {
    for (const Triangle& s : triangles) {
      for (size_t i = 0; i < 3; ++i) {
        const std::array<Index, 4> corner = {t[i], s[0], s[1], s[2]};
        if (are_apart(corner, 1)) least = std::min(least, distance_of(PairKind::PointTriangle, corner, x));
        for (size_t j = 0; j < 3; ++j) {
          const std::array<Index, 4> edges = {t[i], t[(i + 1) % 3], s[j], s[(j + 1) % 3]};
          if (are_apart(edges, 2)) least = std::min(least, distance_of(PairKind::EdgeEdge, edges, x));
        }
      }
    }
  }
  return least;
}

Points mix(const Points& a, const Points& b, double t) {
  Points x;
  for (size_t i = 0; i < a.size(); ++i) x.push_back((1 - t) * a[i] + t * b[i]);
  return x;
}

Points gather(const Certificates& certificates, const Points& x) {
  Points gathered;
  certificates.tree.gather(x, gathered);
  return gathered;
}

TEST(CertifiedRegions, keep_their_distance) {
  size_t regions = 0;
  for (const DeformingMesh& body : make_deforming_meshes(200, 3)) {
    // A distance of a fifth of the closest pair at rest, and a clearance of twice that.
    const double distance = 0.2 * find_least_distance(body.rest.triangles, body.rest.points);
    CertificateOptions options;
    options.max_triangles = 60;
    options.pairs = CertifiedPairs::Simplices;
    options.clearance = 2 * distance;
    const Certificates certificates = compute_certificates(body.rest.points, body.rest.triangles, options);
    CertifiedRegions finder(certificates, distance);
    Points last = body.rest.points;
    for (const double t : {0.0, 0.1, 0.3, 0.6}) {
      const Points x = body.at(t);
      finder.choose(gather(certificates, last), gather(certificates, x));
      EXPECT_TRUE(finder.holds(gather(certificates, last), gather(certificates, x)));
      for (const Index node : finder.nodes()) {
        ++regions;
        std::vector<Triangle> triangles;
        const PatchNode& patch = certificates.tree.node(node);
        for (Index i = patch.first; i < patch.last; ++i) {
          const Index id = certificates.tree.ids[static_cast<size_t>(i)];
          triangles.push_back(body.rest.triangles[static_cast<size_t>(id)]);
        }
        for (const double time : {0.0, 0.3, 0.7, 1.0}) {
          EXPECT_GE(find_least_distance(triangles, mix(last, x, time)), distance) << body.name << " at " << t;
        }
      }
      last = x;
    }
  }
  EXPECT_GT(regions, 100U);
}

// A mesh made smaller keeps less distance, and is not certified to keep more.
TEST(CertifiedRegions, shrinking_is_noticed) {
  const DeformingMesh body = make_squashed_blob(200, 3);
  const double distance = 0.2 * find_least_distance(body.rest.triangles, body.rest.points);
  CertificateOptions options;
  options.max_triangles = 60;
  options.pairs = CertifiedPairs::Simplices;
  options.clearance = 2 * distance;
  const Certificates certificates = compute_certificates(body.rest.points, body.rest.triangles, options);
  CertifiedRegions finder(certificates, distance);
  const Points rest = gather(certificates, body.rest.points);
  finder.choose(rest, rest);
  EXPECT_FALSE(finder.nodes().empty());
  Points small = rest;
  for (Vec3& p : small) p *= 0.1;
  EXPECT_FALSE(finder.holds(rest, small));
  EXPECT_FALSE(finder.holds(small, small));
  finder.choose(small, small);
  EXPECT_TRUE(finder.nodes().empty());
}

}  // namespace
}  // namespace marrow
