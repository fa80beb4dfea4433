// Lattices, tet meshes and weights.
#include <gtest/gtest.h>

#include "core/error.h"
#include "mesh/mesh_check.h"
#include "mesh/mesh_summary.h"
#include "mesh/surface.h"
#include "preprocess/medial/biharmonic_weights.h"
#include "preprocess/solids.h"
#include "preprocess/volume/solid_surface.h"
#include "preprocess/volume/tet_mesher.h"

namespace marrow {
namespace {

Lattice make_lattice(const Mesh& surface, int cells) {
  const TriangleTree tree(surface.points, surface.triangles);
  return build_lattice(surface, tree, cells, LatticeSolid::ClosedInParts);
}

Vec3 place_of(const Mesh& tets, const EmbeddedPoint& point) {
  Vec3 x = Vec3::Zero();
  for (int c = 0; c < 4; ++c) x += point.weights[c] * tets.points[tets.tets[point.tet][c]];
  return x;
}

TEST(Lattice, is_a_sound_tet_mesh_that_holds_every_point_of_the_surface) {
  const Mesh torus = clean_surface(make_surface(TorusShape{}), "torus").mesh;
  const Lattice lattice = make_lattice(torus, 20);
  EXPECT_NO_THROW(check_tet_mesh(lattice.mesh, "lattice"));
  for (const Vec3& x : torus.points) {
    const EmbeddedPoint point = lattice.locate(x);
    EXPECT_GE(point.weights.minCoeff(), 0);
    EXPECT_LT((place_of(lattice.mesh, point) - x).norm(), 1e-12);
  }
}

TEST(Lattice, filled_volume_is_that_of_the_solid) {
  // The plate and the rod are thinner than a cell.
  const Mesh ball = make_surface(SphereShape{.radius = 0.5, .resolution = 6});
  const Mesh plate = make_surface(BoxShape{.size = {1, 0.01, 1}});
  const Mesh rod = make_surface(BoxShape{.size = {1, 0.001, 0.001}});
  for (const Mesh& solid : {ball, plate, rod}) {
    const Lattice lattice = make_lattice(solid, 16);
    double filled = 0;
    for (size_t t = 0; t < lattice.fills.size(); ++t) {
      const Tet& v = lattice.mesh.tets[t];
      const Points& x = lattice.mesh.points;
      filled += lattice.fills[t] * compute_tet_volume(x[v[0]], x[v[1]], x[v[2]], x[v[3]]);
    }
    const double volume = compute_enclosed_volume(solid.points, solid.triangles);
    EXPECT_NEAR(filled, volume, 1e-9 * volume);
  }
}

TEST(Lattice, takes_open_and_self_intersecting_surfaces) {
  Mesh open = make_surface(BoxShape{});
  open.triangles.pop_back();  // a hole smaller than a cell
  const Mesh crossed = join(make_surface(BoxShape{}), make_surface(SphereShape{}), Vec3(0.4, 0.1, 0));
  for (const auto& [dirty, cells] : {std::pair(open, 4), std::pair(crossed, 10)}) {
    const TriangleTree tree(dirty.points, dirty.triangles);
    const Lattice lattice = build_lattice(dirty, tree, cells, LatticeSolid::Open);
    EXPECT_NO_THROW(check_tet_mesh(lattice.mesh, "lattice"));
    EXPECT_GT(lattice.inner_cells, 0);
  }
}

// Two prongs with a gap between them that is narrower than a cell.
Mesh make_fork(double gap) {
  Mesh fork = build_shape(BoxShape{.size = {1, 0.2, 1}, .cells_x = 5, .cells_y = 1, .cells_z = 5});
  std::erase_if(fork.tets, [&](const Tet& t) {
    Vec3 center = Vec3::Zero();
    for (const Index i : t) center += fork.points[i] / 4;
    return std::abs(center[0]) < 0.1 && center[2] > -0.3;
  });
  for (Vec3& x : fork.points) {
    if (std::abs(x[0]) < 0.2 && x[2] > -0.4) x[0] *= gap / 0.2;
  }
  fork.triangles = extract_surface(fork.tets);
  fork.tets.clear();
  return clean_surface(fork, "fork").mesh;
}

TEST(Lattice, does_not_glue_what_is_nearer_than_a_cell) {
  for (const double gap : {0.2, 0.12}) {
    const Mesh fork = make_fork(gap);
    const TriangleTree tree(fork.points, fork.triangles);
    for (const int cells : {3, 4, 5, 6}) {
      const auto shares_points = [&](LatticeSolid solid) {
        const Lattice lattice = build_lattice(fork, tree, cells, solid);
        EXPECT_EQ(summarize(lattice.mesh).components, 1);
        std::array<Tet, 2> tets;
        for (const int side : {0, 1}) {
          const Vec3 tip(side == 0 ? -gap / 2 : gap / 2, 0.02, 0.45);
          const EmbeddedPoint point = lattice.locate(tip);
          EXPECT_LT((place_of(lattice.mesh, point) - tip).norm(), 1e-12);
          tets[side] = lattice.mesh.tets[point.tet];
        }
        return std::find_first_of(tets[0].begin(), tets[0].end(), tets[1].begin(), tets[1].end()) !=
               tets[0].end();
      };
      EXPECT_FALSE(shares_points(LatticeSolid::ClosedInParts)) << gap << " " << cells;
      if (cells == 3) {
        EXPECT_TRUE(shares_points(LatticeSolid::Closed));
      }
    }
  }
}

TEST(Lattice, of_a_fork_has_its_volume_however_it_is_divided) {
  const Mesh fork = make_fork(0.12);
  const Lattice lattice = make_lattice(fork, 4);
  EXPECT_GT(lattice.mesh.tets.size(),
            6 * static_cast<size_t>(std::count_if(lattice.first_tets.begin(), lattice.first_tets.end(),
                                                  [](Index first) { return first != kNone; })));
  double filled = 0;
  for (size_t t = 0; t < lattice.fills.size(); ++t) {
    EXPECT_GE(lattice.fills[t], 0);
    filled += lattice.fills[t] * std::pow(lattice.grid.size, 3) / 6;
  }
  const double volume = compute_enclosed_volume(fork.points, fork.triangles);
  EXPECT_NEAR(filled, volume, 1e-9 * volume);
}

TEST(Lattice, point_outside_follows_the_nearest_cell) {
  const Lattice lattice = make_lattice(make_surface(BoxShape{}), 4);
  const EmbeddedPoint far = lattice.locate(Vec3(3, 0, 0));
  EXPECT_NEAR(far.weights.sum(), 1, 1e-15);
  EXPECT_GT(place_of(lattice.mesh, far)[0], 0.4);
}

TEST(TouchesBox, agrees_with_dense_samples) {
  const std::array<Vec3, 3> triangle = {Vec3(-2, 0.2, 0.1), Vec3(2, 0.4, 0.3), Vec3(0.5, 3, -1)};
  EXPECT_TRUE(touches_box(triangle, Vec3(0, 0.5, 0), Vec3::Constant(0.3)));
  EXPECT_FALSE(touches_box(triangle, Vec3(0, -0.5, 0), Vec3::Constant(0.3)));
  EXPECT_FALSE(touches_box(triangle, Vec3(0, 0.5, 1.5), Vec3::Constant(0.3)));
  EXPECT_TRUE(touches_box(triangle, triangle[2], Vec3::Constant(1e-9)));
}

TEST(TetMesher, box_keeps_its_volume_and_corners) {
  const Mesh box = make_surface(BoxShape{.size = Vec3(1, 2, 0.5), .cells_x = 2, .cells_y = 3, .cells_z = 2});
  const Mesh tets = mesh_solid(clean_surface(box, "box").mesh, "box", {.size = 0.15, .deviation = 0.01});
  EXPECT_NO_THROW(check_tet_mesh(tets, "tets"));
  const MeshSummary summary = summarize(tets);
  EXPECT_NEAR(summary.volume, 1, 1e-3);
  EXPECT_GT(summary.worst_tet_quality, 0.1);
  EXPECT_NEAR((summary.upper - Vec3(0.5, 1, 0.25)).norm(), 0, 1e-9);
}

// A hundredth of its width: far thinner than the deviation and the size asked for.
TEST(TetMesher, a_thin_plate_is_filled_or_refused) {
  const Mesh plate =
      make_surface(BoxShape{.size = Vec3(1, 1, 0.01), .cells_x = 1, .cells_y = 1, .cells_z = 1});
  const Mesh tets = mesh_solid(plate, "plate", {.size = 0.1, .deviation = 0.02});
  EXPECT_NEAR(summarize(tets).volume, 0.01, 2e-4);
  EXPECT_THROW(mesh_solid(plate, "plate", {.size = 0.1, .deviation = 0.02, .most_points = 1000}), InputError);
}

struct WeightCase {
  Mesh tets = build_shape(BoxShape{.size = Vec3(4, 1, 1), .cells_x = 16, .cells_y = 4, .cells_z = 4});
  // Handles at corners of tets, by point.
  std::vector<EmbeddedPoint> handles;
  std::vector<Index> handle_points;
  explicit WeightCase(const Points& places) {
    for (const Vec3& x : places) {
      Index nearest = 0;
      for (Index i = 0; i < static_cast<Index>(tets.points.size()); ++i) {
        if ((tets.points[i] - x).norm() < (tets.points[nearest] - x).norm()) nearest = i;
      }
      handle_points.push_back(nearest);
      for (size_t t = 0; t < tets.tets.size(); ++t) {
        const auto found = std::find(tets.tets[t].begin(), tets.tets[t].end(), nearest);
        if (found == tets.tets[t].end()) continue;
        EmbeddedPoint point{static_cast<Index>(t), Vec4::Zero()};
        point.weights[found - tets.tets[t].begin()] = 1;
        handles.push_back(point);
        break;
      }
    }
  }
};

TEST(BiharmonicWeights, are_a_partition_of_unity_in_bounds_and_one_at_their_handle) {
  const WeightCase box({Vec3(-2, 0, 0), Vec3(-0.7, 0, 0), Vec3(0.7, 0, 0), Vec3(2, 0, 0)});
  const ScalarMatrix W = compute_biharmonic_weights(box.tets, box.handles, {});
  ASSERT_EQ(W.rows(), static_cast<Index>(box.tets.points.size()));
  ASSERT_EQ(W.columns, 4);
  for (Index i = 0; i < W.rows(); ++i) {
    double sum = 0;
    for (Index k = W.offsets[i]; k < W.offsets[i + 1]; ++k) {
      EXPECT_GT(W.values[k], 0);
      EXPECT_LE(W.values[k], 1 + 1e-12);
      sum += W.values[k];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  for (Index j = 0; j < 4; ++j) {
    const Index row = box.handle_points[j];
    ASSERT_EQ(W.offsets[row + 1] - W.offsets[row], 1);
    EXPECT_EQ(W.indices[W.offsets[row]], j);
  }
}

TEST(BiharmonicWeights, two_handles_of_a_bar_blend_along_it) {
  // With the energy's natural borders the weights of two handles at the ends are linear along the bar.
  const WeightCase box({Vec3(-2, 0, 0), Vec3(2, 0, 0)});
  const ScalarMatrix W = compute_biharmonic_weights(box.tets, box.handles, {});
  double previous = 2;
  for (const double x : {-1.0, 0.0, 1.0}) {
    for (size_t i = 0; i < box.tets.points.size(); ++i) {
      const Vec3& p = box.tets.points[i];
      if ((p - Vec3(x, 0, 0)).norm() > 1e-9) continue;
      const double first = W.values[W.offsets[i]];
      EXPECT_LT(first, previous);
      if (x == 0) {
        EXPECT_NEAR(first, 0.5, 1e-6);
      }
      previous = first;
    }
  }
}

TEST(BiharmonicWeights, anchored_points_follow_no_handle) {
  const WeightCase box({Vec3(0, 0, 0), Vec3(2, 0, 0)});
  std::vector<Index> anchors;
  for (size_t i = 0; i < box.tets.points.size(); ++i) {
    if (box.tets.points[i][0] < -1.99) anchors.push_back(static_cast<Index>(i));
  }
  const ScalarMatrix W = compute_biharmonic_weights(box.tets, box.handles, {anchors});
  ASSERT_EQ(W.columns, 3);
  for (const Index a : anchors) {
    ASSERT_EQ(W.offsets[a + 1] - W.offsets[a], 1);
    EXPECT_EQ(W.indices[W.offsets[a]], 2);
  }
}

}  // namespace
}  // namespace marrow
