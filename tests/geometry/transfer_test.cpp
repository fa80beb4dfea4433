#include "geometry/transfer/transfer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "exec/parallel.h"
#include "geometry/transfer/mass_matrix.h"
#include "geometry/transfer/nearest_simplex.h"
#include "geometry/transfer/overlay.h"
#include "mesh/shapes.h"

namespace marrow {
namespace {

constexpr double kRounding = 1e-12;

// A grid over the unit cube or square whose inner points are moved at random by a part of a cell.
Mesh make_volume(int cells, double jitter, unsigned seed) {
  BoxShape shape;
  shape.cells_x = shape.cells_y = shape.cells_z = cells;
  Mesh mesh = build_shape(shape);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> move(-jitter / cells, jitter / cells);
  for (Vec3& point : mesh.points) {
    if (point.cwiseAbs().maxCoeff() < 0.5 - 1e-9) point += Vec3(move(random), move(random), move(random));
  }
  return mesh;
}

Mesh make_plane(int cells, double jitter, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> move(-jitter / cells, jitter / cells);
  Mesh mesh;
  for (int i = 0; i <= cells; ++i) {
    for (int j = 0; j <= cells; ++j) {
      Vec3 point(static_cast<double>(i) / cells, static_cast<double>(j) / cells, 0);
      if (i > 0 && j > 0 && i < cells && j < cells) point += Vec3(move(random), move(random), 0);
      mesh.points.push_back(point);
    }
  }
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      const Index a = i * (cells + 1) + j, b = a + cells + 1;
      mesh.triangles.push_back({a, b, b + 1});
      mesh.triangles.push_back({a, b + 1, a + 1});
    }
  }
  return mesh;
}

size_t cell_count(const Mesh& mesh) { return mesh.tets.empty() ? mesh.triangles.size() : mesh.tets.size(); }

TransferFields random_fields(const Mesh& mesh, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  TransferFields fields{MatX(static_cast<Index>(mesh.points.size()), 3),
                        MatX(static_cast<Index>(cell_count(mesh)), 2)};
  for (double& x : fields.nodal.reshaped()) x = value(random);
  for (double& x : fields.cells.reshaped()) x = value(random);
  return fields;
}

// One linear field per column: 1, x, y, 3 − 2x + y − z.
MatX linear_fields(const Mesh& mesh) {
  MatX values(static_cast<Index>(mesh.points.size()), 4);
  for (size_t i = 0; i < mesh.points.size(); ++i) {
    const Vec3& p = mesh.points[i];
    values.row(static_cast<Index>(i)) << 1, p.x(), p.y(), 3 - 2 * p.x() + p.y() - p.z();
  }
  return values;
}

MassMatrix make_mass(const Mesh& mesh) {
  std::vector<SimplexCorners> simplices = mesh.tets;
  for (const Triangle& t : mesh.triangles) {
    if (mesh.tets.empty()) simplices.push_back({t[0], t[1], t[2], t[2]});
  }
  const int dimension = mesh.tets.empty() ? 2 : 3;
  VecX volumes(static_cast<Index>(simplices.size()));
  for (size_t s = 0; s < simplices.size(); ++s) {
    const auto at = [&](size_t c) { return mesh.points[static_cast<size_t>(simplices[s][c])]; };
    volumes[static_cast<Index>(s)] =
        dimension == 3 ? std::abs((at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0))) / 6
                       : (at(1) - at(0)).cross(at(2) - at(0)).norm() / 2;
  }
  return {dimension, mesh.points.size(), std::move(simplices), std::move(volumes)};
}

double squared_norm(const Mesh& mesh, const MatX& values) {
  return values.cwiseProduct(make_mass(mesh).multiply(values)).sum();
}

struct MeshPair {
  std::string name;
  Mesh from, to;
};

std::vector<MeshPair> pairs_of_one_domain() {
  std::vector<MeshPair> pairs;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const int n = static_cast<int>(seed);
    pairs.push_back(
        {"volume " + std::to_string(seed), make_volume(2 + n, 0.3, seed), make_volume(5, 0.3, 10 + seed)});
    pairs.push_back(
        {"plane " + std::to_string(seed), make_plane(3 * n, 0.2, seed), make_plane(7, 0.2, 10 + seed)});
  }
  // Degenerate overlaps: one mesh on itself, moved by little or nothing; grids with common planes.
  for (const double move : {0.0, 1e-15, 1e-12, 1e-8, 1e-4}) {
    const Mesh volume = make_volume(4, 0.3, 3), plane = make_plane(6, 0.2, 3);
    Mesh moved_volume = volume, moved_plane = plane;
    for (Vec3& p : moved_volume.points) {
      if (p.cwiseAbs().maxCoeff() < 0.5 - 1e-9) p += move * Vec3(1, -0.5, 0.25);
    }
    for (Vec3& p : moved_plane.points) {
      const bool is_inside = p.x() > 0 && p.y() > 0 && p.x() < 1 && p.y() < 1;
      if (is_inside) p += move * Vec3(1, -0.5, 0);
    }
    pairs.push_back({"volume on itself", volume, moved_volume});
    pairs.push_back({"plane on itself", plane, moved_plane});
  }
  pairs.push_back({"volume, halved cells", make_volume(3, 0, 1), make_volume(6, 0, 1)});
  pairs.push_back({"volume, doubled cells", make_volume(6, 0, 1), make_volume(3, 0, 1)});
  pairs.push_back({"plane, thirds and halves", make_plane(3, 0, 1), make_plane(2, 0, 1)});
  return pairs;
}

TEST(Transfer, reproduces_linear_fields) {
  for (const MeshPair& pair : pairs_of_one_domain()) {
    TransferFields fields{linear_fields(pair.from), MatX(static_cast<Index>(cell_count(pair.from)), 0)};
    const Transferred done = transfer_fields(pair.from, pair.to, fields);
    EXPECT_LT((done.fields.nodal - linear_fields(pair.to)).cwiseAbs().maxCoeff(), 1e-11) << pair.name;
  }
}

TEST(Transfer, conserves_integrals_and_moments_and_never_gains_energy) {
  for (const MeshPair& pair : pairs_of_one_domain()) {
    const TransferFields fields = random_fields(pair.from, 7);
    const Transferred done = transfer_fields(pair.from, pair.to, fields);
    const TransferReport& report = done.report;
    EXPECT_EQ(report.extended_points, 0) << pair.name;
    EXPECT_NEAR(report.overlap, report.new_volume, kRounding) << pair.name;
    EXPECT_LT((report.new_integrals - report.old_integrals).cwiseAbs().maxCoeff(), kRounding) << pair.name;
    // First moments: the products with the linear fields.
    const MatX old_moments =
        linear_fields(pair.from).transpose() * make_mass(pair.from).multiply(fields.nodal);
    const MatX new_moments =
        linear_fields(pair.to).transpose() * make_mass(pair.to).multiply(done.fields.nodal);
    EXPECT_LT((new_moments - old_moments).cwiseAbs().maxCoeff(), kRounding) << pair.name;
    EXPECT_LE(squared_norm(pair.to, done.fields.nodal), squared_norm(pair.from, fields.nodal) + kRounding)
        << pair.name;
    EXPECT_LE(report.iterations, 60) << pair.name;
  }
}

// Splitting every cell: what is projected is the field itself.
TEST(Transfer, is_interpolation_on_a_refinement) {
  for (const auto& [from, to] : {std::pair(make_plane(3, 0, 1), make_plane(6, 0, 1)),
                                 std::pair(make_plane(2, 0, 1), make_plane(6, 0, 1))}) {
    const TransferFields fields = random_fields(from, 5);
    const Transferred there = transfer_fields(from, to, fields);
    EXPECT_NEAR(squared_norm(to, there.fields.nodal), squared_norm(from, fields.nodal), kRounding);
    const Transferred back = transfer_fields(to, from, there.fields);
    EXPECT_LT((back.fields.nodal - fields.nodal).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LT((back.fields.cells - fields.cells).cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST(Transfer, to_the_same_mesh_changes_nothing) {
  for (const Mesh& mesh : {make_volume(4, 0.3, 2), make_plane(5, 0.2, 2)}) {
    const TransferFields fields = random_fields(mesh, 1);
    const Transferred done = transfer_fields(mesh, mesh, fields);
    EXPECT_LT((done.fields.nodal - fields.nodal).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LT((done.fields.cells - fields.cells).cwiseAbs().maxCoeff(), 1e-11);
  }
}

// The error of a smooth field falls with the square of the element size.
TEST(Transfer, is_of_second_order) {
  const auto error = [](int cells) {
    const Mesh from = make_volume(cells, 0.2, 3), to = make_volume(cells + 1, 0.2, 4);
    const auto sample = [](const Mesh& mesh) {
      MatX values(static_cast<Index>(mesh.points.size()), 1);
      for (size_t i = 0; i < mesh.points.size(); ++i) {
        const Vec3& p = mesh.points[i];
        values(static_cast<Index>(i), 0) = std::sin(3 * p.x()) * std::cos(2 * p.y() + p.z());
      }
      return values;
    };
    const Transferred done =
        transfer_fields(from, to, {sample(from), MatX(static_cast<Index>(from.tets.size()), 0)});
    return std::sqrt(squared_norm(to, done.fields.nodal - sample(to)));
  };
  EXPECT_GT(std::log2(error(4) / error(8)), 1.7);
}

// A coarse ball inside a fine one: outside, the field goes on with its value at the closest point.
TEST(Transfer, goes_on_beyond_the_old_mesh) {
  const auto make_ball = [](int resolution) {
    SphereShape shape;
    shape.resolution = resolution;
    return build_shape(shape);
  };
  const Mesh from = make_ball(2), to = make_ball(5);
  TransferFields fields{linear_fields(from), MatX::Ones(static_cast<Index>(from.tets.size()), 1)};
  const Transferred done = transfer_fields(from, to, fields);
  EXPECT_GT(done.report.extended_points, 0);
  EXPECT_LT(done.report.overlap, done.report.new_volume);
  EXPECT_NEAR(done.report.overlap, done.report.old_volume, 0.05 * done.report.old_volume);
  EXPECT_LT((done.fields.nodal.col(0).array() - 1).abs().maxCoeff(), 1e-11);
  EXPECT_LT((done.fields.cells.array() - 1).abs().maxCoeff(), 1e-11);
  EXPECT_LT((done.fields.nodal - linear_fields(to)).cwiseAbs().maxCoeff(), 0.35);
}

// Without any overlap too.
TEST(Transfer, apart_takes_the_closest_value) {
  const Mesh from = make_volume(2, 0, 1);
  Mesh to = from;
  for (Vec3& p : to.points) p += Vec3(40, 0, 0);
  TransferFields fields{linear_fields(from), MatX::Ones(static_cast<Index>(from.tets.size()), 1)};
  const Transferred done = transfer_fields(from, to, fields);
  EXPECT_EQ(done.report.pair_count, 0u);
  EXPECT_LT((done.fields.nodal.col(1).array() - 0.5).abs().maxCoeff(), 1e-11);  // x at the face that is near
  EXPECT_LT((done.fields.nodal.col(2) - linear_fields(to).col(2)).cwiseAbs().maxCoeff(), 1e-11);
}

// Far from the origin, and in other units.
TEST(Transfer, does_not_depend_on_place_and_unit) {
  const Mesh from = make_volume(3, 0.3, 1), to = make_volume(4, 0.3, 2);
  const TransferFields fields = random_fields(from, 3);
  const Transferred plain = transfer_fields(from, to, fields);
  Mesh far_from = from, far_to = to;
  for (Mesh* mesh : {&far_from, &far_to}) {
    for (Vec3& p : mesh->points) p = 1e-3 * p + Vec3(1, 2, 3);
  }
  const Transferred other = transfer_fields(far_from, far_to, fields);
  EXPECT_LT((other.fields.nodal - plain.fields.nodal).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((other.fields.cells - plain.fields.cells).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Transfer, same_bits_on_any_number_of_threads) {
  const Mesh from = make_volume(5, 0.3, 1), to = make_volume(6, 0.3, 2);
  const TransferFields fields = random_fields(from, 3);
  exec::set_thread_count(1);
  const Transferred one = transfer_fields(from, to, fields);
  exec::set_thread_count(3);
  const Transferred three = transfer_fields(from, to, fields);
  exec::set_thread_count(0);
  EXPECT_EQ(one.fields.nodal, three.fields.nodal);
  EXPECT_EQ(one.fields.cells, three.fields.cells);
}

// Against random points: the products of the overlap of two tets.
TEST(Overlay, agrees_with_sampling) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    std::array<Vec3, 4> a, b;
    for (auto* tet : {&a, &b}) {
      for (Vec3& corner : *tet) corner = Vec3(place(random), place(random), place(random));
    }
    const PlacedSimplex<3> first = place_simplex<3>(a), second = place_simplex<3>(b);
    const Overlap<3> overlap = compute_overlap<3>(first, second);
    EXPECT_NEAR(overlap.volume, overlap.products.sum(), kRounding);
    constexpr int kSamples = 200000;
    CornerMatrix<3> sampled = CornerMatrix<3>::Zero();
    for (int s = 0; s < kSamples; ++s) {
      const Vec4 x(1, place(random), place(random), place(random));
      const Vec4 u = first.inverse * x, v = second.inverse * x;
      if (u.minCoeff() >= 0 && v.minCoeff() >= 0) sampled += 8.0 / kSamples * u * v.transpose();
    }
    EXPECT_LT((overlap.products - sampled).cwiseAbs().maxCoeff(), 2e-3) << trial;
  }
}

TEST(NearestSimplex, agrees_with_a_fine_search) {
  const Mesh mesh = make_volume(2, 0, 1);
  const std::vector<SimplexCorners> tets = mesh.tets;
  const Points queries{{0.7, 0.1, 0.2}, {3, 3, 3}, {0, 0, 0}, {-0.5, 0.5, 9}};
  const std::vector<NearestPoint> found = find_nearest(mesh.points, tets, 4, queries);
  for (size_t q = 0; q < queries.size(); ++q) {
    const Vec3 expected = queries[q].cwiseMax(-0.5).cwiseMin(0.5);
    Vec3 closest = Vec3::Zero();
    for (Index c = 0; c < 4; ++c) {
      closest +=
          found[q].weights[c] * mesh.points[static_cast<size_t>(
                                    tets[static_cast<size_t>(found[q].simplex)][static_cast<size_t>(c)])];
    }
    EXPECT_LT((closest - expected).norm(), kRounding) << q;
  }
}

}  // namespace
}  // namespace marrow
