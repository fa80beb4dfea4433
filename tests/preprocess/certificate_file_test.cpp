// The file of certificates: exact round trips, and clear words about everything that is not one.
#include "geometry/certificates/certificate_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "geometry/certificates/self_collision.h"
#include "preprocess/certificates/certificates.h"
#include "preprocess/certificates/patch_split.h"
#include "preprocess/deforming_meshes.h"

namespace marrow {
namespace {

struct Sample {
  Mesh mesh = make_bending_rod(200, 1).rest;
  Certificates certificates = compute_certificates(mesh.points, mesh.triangles, {});
  std::string bytes = format_certificates(certificates, hash_mesh(mesh.points, mesh.triangles));

  Certificates parse(std::string_view text) const {
    return parse_certificates(text, "x.cert", mesh.points, mesh.triangles);
  }
  std::string problem_of(std::string_view text) const {
    try {
      parse(text);
    } catch (const InputError& error) {
      EXPECT_FALSE(error.advice().empty());
      return error.problem();
    }
    return "";
  }
};

TEST(CertificateFile, round_trip_is_exact) {
  const Sample sample;
  const Certificates read = sample.parse(sample.bytes);
  EXPECT_EQ(read.tree.ids, sample.certificates.tree.ids);
  EXPECT_EQ(read.node_limits, sample.certificates.node_limits);
  EXPECT_EQ(read.pair_limits, sample.certificates.pair_limits);
  EXPECT_EQ(read.planes.size(), sample.certificates.planes.size());
  EXPECT_EQ(format_certificates(read, hash_mesh(sample.mesh.points, sample.mesh.triangles)), sample.bytes);
  EXPECT_TRUE(is_complete(read));
}

TEST(CertificateFile, every_changed_byte_is_noticed) {
  const Sample sample;
  for (size_t i = 0; i < sample.bytes.size(); i += 1 + sample.bytes.size() / 97) {
    std::string bytes = sample.bytes;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
    EXPECT_FALSE(sample.problem_of(bytes).empty()) << "byte " << i;
  }
}

TEST(CertificateFile, short_files_are_noticed) {
  const Sample sample;
  for (size_t size = 0; size < sample.bytes.size(); size += 1 + sample.bytes.size() / 53) {
    EXPECT_FALSE(sample.problem_of(std::string_view(sample.bytes).substr(0, size)).empty())
        << size << " bytes";
  }
}

TEST(CertificateFile, says_what_is_wrong) {
  const Sample sample;
  EXPECT_NE(sample.problem_of("v 0 0 0\n").find("not a file of certificates"), std::string::npos);
  std::string other = sample.bytes;
  other[8] = 9;
  EXPECT_NE(sample.problem_of(other).find("version 9"), std::string::npos);
  Sample moved;
  moved.mesh.points[0][0] += 1e-12;
  EXPECT_NE(moved.problem_of(sample.bytes).find("another mesh"), std::string::npos);
}

TEST(CertificateFile, unfinished_is_told_from_finished) {
  const Mesh mesh = make_bending_rod(1200, 1).rest;
  Certificates certificates = begin_certificates(mesh.points, mesh.triangles, {});
  EXPECT_FALSE(is_complete(certificates));
  // Stopped after the first batch, written, read, and gone on with: the same as in one go.
  CertificateOptions options;
  options.max_triangles = 600;
  Certificates part = begin_certificates(mesh.points, mesh.triangles, options);
  EXPECT_FALSE(complete_certificates(part, [](const PrepareProgress&) { return false; }).is_complete);
  EXPECT_FALSE(is_complete(part));
  const std::uint64_t hash = hash_mesh(mesh.points, mesh.triangles);
  Certificates taken_up =
      parse_certificates(format_certificates(part, hash), "x.part", mesh.points, mesh.triangles);
  size_t batches = 0;
  EXPECT_TRUE(
      complete_certificates(taken_up, [&](const PrepareProgress&) { return ++batches > 0; }).is_complete);
  EXPECT_GT(batches, 0U);
  EXPECT_EQ(taken_up.node_limits, compute_certificates(mesh.points, mesh.triangles, options).node_limits);
}

// Who wants to stop when the last batch is done gets what is done.
TEST(Certificates, stopping_at_the_end_is_no_stop) {
  const Mesh mesh = make_bending_rod(200, 1).rest;
  Certificates certificates = begin_certificates(mesh.points, mesh.triangles, {});
  const PrepareReport report = complete_certificates(
      certificates, [](const PrepareProgress& progress) { return progress.done < progress.total; });
  EXPECT_TRUE(report.is_complete);
  EXPECT_TRUE(is_complete(certificates));
}

// Meshes that no patch likes: each must give certificates that change nothing, or none.
TEST(Certificates, odd_meshes_are_taken) {
  std::vector<Mesh> odd(6);
  odd[0].points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  odd[0].triangles = {{0, 1, 2}};
  odd[1].points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}};  // two parts
  odd[1].triangles = {{0, 1, 2}, {3, 4, 5}};
  odd[2].points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};  // five on one edge
  odd[2].triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {0, 1, 5}};
  odd[3].points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {2, 1, 0}};  // without area
  odd[3].triangles = {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {0, 5, 1}};
  odd[4].points = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1, 1, 0}};  // points on each other
  odd[4].triangles = {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}};
  odd[5] = make_flowing_cloth(200, 1).rest;  // flat, tiny, far away
  for (Vec3& p : odd[5].points) p = 1e-7 * p + Vec3(1e3, 0, 0);
  for (size_t i = 0; i < odd.size(); ++i) {
    CertificateOptions options;
    options.leaf_size = 2;
    const Mesh& mesh = odd[i];
    EXPECT_TRUE(is_split_valid(compute_patch_split(mesh.points, mesh.triangles, 1), mesh.triangles.size()));
    const Certificates certificates = compute_certificates(mesh.points, mesh.triangles, options);
    SelfCollider collider(certificates);
    for (const double part : {0.0, 0.1, 1.0}) {
      const double size = i == 5 ? 1e-7 * part : part;
      Points x = mesh.points;
      for (size_t k = 0; k < x.size(); ++k)
        x[k] += size * Vec3(std::sin(5.0 * double(k)), std::cos(7.0 * double(k)), std::sin(3.0 * double(k)));
      EXPECT_EQ(collider.find(x, Culling::Plain).pairs, collider.find(x, Culling::Certified).pairs) << i;
      EXPECT_EQ(collider.find_swept(mesh.points, x, Culling::Plain).pairs,
                collider.find_swept(mesh.points, x, Culling::Certified).pairs)
          << i;
    }
  }
}

// Halves of a connected patch are connected, whatever the mesh.
TEST(PatchSplit, patches_are_connected) {
  for (const DeformingMesh& body : make_deforming_meshes(400, 2)) {
    const PatchSplit split = compute_patch_split(body.rest.points, body.rest.triangles, 6);
    ASSERT_TRUE(is_split_valid(split, body.rest.triangles.size())) << body.name;
    const bool is_whole = split.nodes[0].is_connected;
    for (const PatchNode& node : split.nodes) {
      if (is_whole) {
        EXPECT_TRUE(node.is_connected) << body.name;
      }
      if (node.is_leaf()) {
        EXPECT_LE(node.count(), 6) << body.name;
      }
    }
  }
}

}  // namespace
}  // namespace marrow
