// Certificates are exact where they can be compared, and never change what is found.
#include "preprocess/certificates/certificates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "exact/simplices.h"
#include "exec/parallel.h"
#include "geometry/certificates/self_collision.h"
#include "mesh/io/mesh_file.h"
#include "preprocess/certificate_trials.h"
#include "preprocess/certificates/patch_certificate.h"
#include "preprocess/certificates/patch_split.h"
#include "preprocess/deforming_meshes.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

CertificateOptions small_patches() {
  CertificateOptions options;
  options.max_triangles = 200;
  return options;
}

// The same pairs with and without certificates, at frames and between them. Returns how many patches were
// culled.
size_t expect_same(const Certificates& certificates, const std::vector<Points>& frames,
                   const std::string& name) {
  SelfCollider collider(certificates);
  size_t culled = 0;
  for (size_t i = 0; i < frames.size(); ++i) {
    const SelfCollisions plain = collider.find(frames[i], Culling::Plain);
    const SelfCollisions certified = collider.find(frames[i], Culling::Certified);
    EXPECT_EQ(plain.pairs, certified.pairs) << name << ", frame " << i;
    EXPECT_LE(certified.counts.triangle_tests, plain.counts.triangle_tests);
    for (const size_t count : certified.counts.nodes_culled) culled += count;
    if (i == 0) continue;
    const SelfCollisions moving = collider.find_swept(frames[i - 1], frames[i], Culling::Plain);
    const SelfCollisions culling = collider.find_swept(frames[i - 1], frames[i], Culling::Certified);
    EXPECT_EQ(moving.pairs, culling.pairs) << name << ", motion to frame " << i;
    EXPECT_GE(moving.pairs.size(), plain.pairs.size());
  }
  return culled;
}

class GeneratedSequences : public testing::TestWithParam<unsigned> {};

TEST_P(GeneratedSequences, have_the_same_pairs_with_and_without) {
  for (const DeformingMesh& body : make_deforming_meshes(500, GetParam())) {
    const Certificates certificates =
        compute_certificates(body.rest.points, body.rest.triangles, small_patches());
    std::vector<Points> frames = {body.rest.points};
    for (const double t : {0.1, 0.4, 0.8, 1.0}) frames.push_back(body.at(t));
    EXPECT_GT(expect_same(certificates, frames, body.name), 0U) << body.name;
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, GeneratedSequences, testing::Values(1U, 2U));

// Some of those do collide, and those that are not asked for certificates find it.
TEST(SelfCollision, generated_sequences_collide_in_the_end) {
  size_t colliding = 0;
  for (const DeformingMesh& body : make_deforming_meshes(500, 1)) {
    CertificateOptions options;
    options.max_triangles = 0;
    const Certificates certificates = compute_certificates(body.rest.points, body.rest.triangles, options);
    SelfCollider collider(certificates);
    EXPECT_TRUE(collider.find(body.rest.points, Culling::Plain).pairs.empty()) << body.name;
    colliding += collider.find(body.at(1), Culling::Plain).pairs.empty() ? 0 : 1;
  }
  EXPECT_GE(colliding, 4U);
}

// Every pair of triangles, without any tree.
std::vector<IndexPair> find_by_brute_force(const Mesh& mesh, const Points& x) {
  std::vector<IndexPair> pairs;
  const auto count = static_cast<Index>(mesh.triangles.size());
  for (Index i = 0; i < count; ++i) {
    for (Index j = i + 1; j < count; ++j) {
      const Triangle &t = mesh.triangles[static_cast<size_t>(i)], &s = mesh.triangles[static_cast<size_t>(j)];
      bool is_adjacent = false;
      for (const Index v : t) is_adjacent = is_adjacent || v == s[0] || v == s[1] || v == s[2];
      if (is_adjacent) continue;
      const exact::PointSigns signs{x};
      if (exact::meet(signs, exact::make_simplex(t[0], t[1], t[2]), exact::make_simplex(s[0], s[1], s[2])))
        pairs.push_back({i, j});
    }
  }
  return pairs;
}

TEST(SelfCollision, agrees_with_brute_force) {
  const DeformingMesh body = make_folding_cloth(300, 3);
  const Certificates certificates =
      compute_certificates(body.rest.points, body.rest.triangles, small_patches());
  SelfCollider collider(certificates);
  const Points x = body.at(1);
  const std::vector<IndexPair> expected = find_by_brute_force(body.rest, x);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(collider.find(x, Culling::Plain).pairs, expected);
  EXPECT_EQ(collider.find(x, Culling::Certified).pairs, expected);
}

// Two thin parts that pass through each other between frames and are apart at both.
TEST(SelfCollision, continuous_finds_what_frames_miss) {
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1}, {0.4, 0.2, 1}, {0.2, 0.4, 1}};
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  Points x = mesh.points;
  for (size_t k = 3; k < 6; ++k) x[k][2] = -1;
  const Certificates certificates = compute_certificates(mesh.points, mesh.triangles, {});
  SelfCollider collider(certificates);
  EXPECT_TRUE(collider.find(x, Culling::Certified).pairs.empty());
  const std::vector<IndexPair> expected = {{0, 1}};
  EXPECT_EQ(collider.find_swept(mesh.points, x, Culling::Plain).pairs, expected);
  EXPECT_EQ(collider.find_swept(mesh.points, x, Culling::Certified).pairs, expected);
}

// What a collider remembers of earlier frames spares work, and changes nothing: back and forth through
// frames that fail, and by a jump to one that does not follow.
TEST(SelfCollision, memory_of_frames_changes_nothing) {
  const DeformingMesh body = make_squashed_blob(600, 2);
  const Certificates certificates =
      compute_certificates(body.rest.points, body.rest.triangles, small_patches());
  SelfCollider collider(certificates);
  size_t asked = 0, asked_afresh = 0, found = 0;
  Points before = body.rest.points;
  for (const double t : {0.2, 0.6, 0.9, 0.92, 0.94, 0.96, 0.98, 1.0, 0.5, 0.1, 0.0, 1.0, 1.0}) {
    const Points x = body.at(t);
    SelfCollider fresh(certificates);
    const SelfCollisions expected = fresh.find_swept(before, x, Culling::Certified);
    const SelfCollisions remembered = collider.find_swept(before, x, Culling::Certified);
    EXPECT_EQ(remembered.pairs, expected.pairs) << t;
    EXPECT_EQ(remembered.pairs, fresh.find_swept(before, x, Culling::Plain).pairs) << t;
    asked += remembered.counts.certificate_tests;
    asked_afresh += expected.counts.certificate_tests;
    found += expected.pairs.size();
    before = x;
  }
  EXPECT_GT(found, 0U);
  EXPECT_LT(asked, asked_afresh);
  collider.forget();
  EXPECT_EQ(collider.find(before, Culling::Certified).counts.certificate_tests,
            SelfCollider(certificates).find(before, Culling::Certified).counts.certificate_tests);
}

TEST(Certificates, rest_is_certified_whole) {
  const DeformingMesh body = make_squashed_blob(300, 1);
  CertificateOptions options;
  options.max_triangles = 1000;
  const Certificates certificates = compute_certificates(body.rest.points, body.rest.triangles, options);
  SelfCollider collider(certificates);
  EXPECT_EQ(collider.find(body.rest.points, Culling::Certified).counts.leaf_tests, 0U);
  // An affine map is no deformation.
  Points x = body.rest.points;
  Mat3 map;
  map << 2, 1, 0, -1, 3, 0.5, 0, 0.2, -0.7;
  for (Vec3& p : x) p = map * p + Vec3(100, -50, 3);
  EXPECT_EQ(collider.find(x, Culling::Certified).counts.leaf_tests, 0U);
}

TEST(Certificates, do_not_depend_on_threads) {
  const DeformingMesh body = make_noisy_blob(400, 5);
  const int threads = exec::thread_count();
  exec::set_thread_count(1);
  const Certificates one = compute_certificates(body.rest.points, body.rest.triangles, small_patches());
  exec::set_thread_count(4);
  const Certificates four = compute_certificates(body.rest.points, body.rest.triangles, small_patches());
  exec::set_thread_count(threads);
  EXPECT_EQ(one.tree.ids, four.tree.ids);
  EXPECT_EQ(one.node_limits, four.node_limits);
  EXPECT_EQ(one.pair_limits, four.pair_limits);
}

// The certificate of a patch is the least of q(a) over all pairs: sampling finds nothing below it, and with
// enough samples something close above it.
TEST(PatchCertificate, is_the_least_of_all_samples) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  int certified = 0;
  for (const DeformingMesh& body : make_deforming_meshes(60, 4)) {
    const PatchTree tree = build_patch_tree(body.rest.points, body.rest.triangles,
                                            compute_patch_split(body.rest.points, body.rest.triangles, 6));
    if (!tree.node(0).is_connected) continue;
    CertificateOptions options;
    options.max_triangles = 1000;
    const RestShape shape = RestShapes(tree, options).of_node(0);
    const Patch patch = collect_patch(tree, Index{0});
    const double energy = compute_patch_certificate(tree, patch, shape.shape, options).energy;
    const std::optional<PatchGreen> green = compute_patch_green(tree, patch, shape.shape);
    // The coil of so few triangles touches itself but for rounding.
    if (energy == 0 && body.name == "spring wire") continue;
    ++certified;
    ASSERT_TRUE(green);
    double least = INFINITY;
    for (const Triangle& t : tree.triangles) {
      for (const Triangle& s : tree.triangles) {
        if (t[0] == s[0] || t[0] == s[1] || t[0] == s[2] || t[1] == s[0] || t[1] == s[1] || t[1] == s[2] ||
            t[2] == s[0] || t[2] == s[1] || t[2] == s[2]) {
          continue;
        }
        for (int trial = 0; trial < 24; ++trial) {
          // The first trials are corners, then points of an edge of one, then all.
          VecX a = VecX::Zero(static_cast<Index>(tree.rest.size()));
          Vec3 alpha(unit(random), unit(random), trial < 16 ? 0 : unit(random));
          Vec3 beta(unit(random), trial < 12 ? 0 : unit(random), trial < 20 ? 0 : unit(random));
          if (trial < 6) alpha = Vec3::Unit(trial % 3);
          if (trial < 6) beta = Vec3::Unit(trial / 2);
          alpha /= alpha.sum();
          beta /= beta.sum();
          Vec3 gap = Vec3::Zero();
          for (size_t k = 0; k < 3; ++k) {
            a[t[k]] += alpha[static_cast<Index>(k)];
            a[s[k]] -= beta[static_cast<Index>(k)];
            gap += alpha[static_cast<Index>(k)] * tree.rest[static_cast<size_t>(t[k])] -
                   beta[static_cast<Index>(k)] * tree.rest[static_cast<size_t>(s[k])];
          }
          least = std::min(least, gap.squaredNorm() / a.dot(green->G * a));
        }
      }
    }
    EXPECT_LE(energy, least) << body.name;
    EXPECT_GT(energy, 0.5 * least) << body.name;
  }
  EXPECT_GE(certified, 7);
}

TEST(CrossingTrials, none_is_unsound) {
  size_t certified = 0;
  size_t colliding = 0;
  for (const DeformingMesh& body : make_deforming_meshes(120, 9)) {
    const TrialCounts counts = run_crossing_trials(body.rest, 200, 11);
    EXPECT_EQ(counts.unsound, 0U) << body.name;
    certified += counts.certified;
    colliding += counts.colliding;
  }
  // Both sides of the certificate were tried.
  EXPECT_GT(colliding, 500U);
  EXPECT_GT(certified, 0U);
}

// At frames, and between the first ones.
void expect_same_in_folder(const fs::path& rest, const std::vector<fs::path>& files,
                           const std::vector<size_t>& counts, size_t motions) {
  if (!fs::exists(rest)) GTEST_SKIP() << "no sequence at " << rest;
  const Mesh mesh = read_mesh(rest.string());
  CertificateOptions options;
  options.max_triangles = 60;
  const Certificates certificates = compute_certificates(mesh.points, mesh.triangles, options);
  SelfCollider collider(certificates);
  Points last = mesh.points;
  for (size_t i = 0; i < files.size(); ++i) {
    const Points x = read_mesh(files[i].string()).points;
    const std::vector<IndexPair> pairs = collider.find(x, Culling::Plain).pairs;
    EXPECT_EQ(pairs, collider.find(x, Culling::Certified).pairs) << files[i];
    EXPECT_EQ(pairs.size(), counts[i]) << files[i];
    if (i < motions) {
      EXPECT_EQ(collider.find_swept(last, x, Culling::Plain).pairs,
                collider.find_swept(last, x, Culling::Certified).pairs)
          << "to " << files[i];
    }
    last = x;
  }
}

TEST(Sequences, horse_collapse) {
  const fs::path root =
      MARROW_SOURCE_DIR "/../shared/data/sequences/Hyperspectral-Inverse-Skinning/models/horse-collapse";
  std::vector<fs::path> files;
  for (const int frame : {6, 7, 8, 9, 10, 11, 31, 53})
    files.push_back(root / (std::to_string(frame) + ".obj"));
  expect_same_in_folder(root / "1.obj", files, {0, 0, 8, 4, 18, 29, 388, 2254}, 4);
}

TEST(Sequences, kick) {
  const fs::path root = MARROW_SOURCE_DIR "/../shared/data/sequences/Codim-IPC/Projects/FEMShell/input";
  expect_same_in_folder(root / "Kick/shell39.obj", {root / "Kick/shell40.obj"}, {495}, 1);
  expect_same_in_folder(root / "Kick_unfixed/39.obj", {root / "Kick_unfixed/40.obj"}, {650}, 1);
}

}  // namespace
}  // namespace marrow
