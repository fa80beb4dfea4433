// Bounds, culling and the voxel query on bodies whose handles do anything.
#include "geometry/medial/bounds.h"

#include <gtest/gtest.h>

#include "exec/parallel.h"
#include "geometry/medial/fit_nodes.h"
#include "math/rotation.h"
#include "preprocess/medial_trials.h"
#include "preprocess/solids.h"

namespace marrow {
namespace {

constexpr std::array<BoundKind, 4> kBoundKinds = {BoundKind::Displacement, BoundKind::Rigid,
                                                  BoundKind::Affine, BoundKind::Measured};

// A rod, a ring, a bar of few large triangles, both kinds of handles.
const std::vector<MedialSolid>& list_solids() {
  static const std::vector<MedialSolid> solids = {
      prepare_solid("rod", make_surface(RodShape{.length = 1, .radius = 0.06}), 8, HandleKind::Affine),
      prepare_solid("bending rod", make_surface(RodShape{.length = 1, .radius = 0.06}), 4,
                    HandleKind::Quadratic),
      prepare_solid("ring", make_surface(TorusShape{}), 10, HandleKind::Affine),
      prepare_solid("bar",
                    make_surface(BoxShape{.size = {1, 0.2, 0.3}, .cells_x = 1, .cells_y = 1, .cells_z = 1}),
                    5, HandleKind::Quadratic)};
  return solids;
}

const std::vector<MedialBounds>& list_bounds() {
  static const std::vector<MedialBounds> bounds = [] {
    std::vector<MedialBounds> list;
    for (const MedialSolid& solid : list_solids()) list.emplace_back(solid.rest);
    return list;
  }();
  return bounds;
}

TEST(MedialBounds, hold_every_point_and_find_every_pair) {
  MedialCulling culling;
  size_t pairs = 0, frames = 0;
  for (const MedialBounds& bounds : list_bounds()) {
    for (const Deformation deformation : kDeformations) {
      for (unsigned seed = 0; seed < 6; ++seed) {
        const VecX n = deform_nodes(bounds.rest(), deformation, 0.2 + 0.16 * seed, seed);
        const BoundKind kind = kBoundKinds[seed % kBoundKinds.size()];
        const MedialTrial trial = try_self(bounds, kind, n, culling);
        EXPECT_EQ(trial.outside, 0u) << name_of(deformation) << ' ' << trial.worst;
        EXPECT_EQ(trial.missed, 0u) << name_of(deformation);
        EXPECT_EQ(trial.invented, 0u) << name_of(deformation);
        pairs += trial.pairs;
        ++frames;
      }
    }
  }
  EXPECT_EQ(frames, 168u);
  EXPECT_GT(pairs, 3000u);  // or nothing was tested
}

TEST(MedialBounds, two_bodies_meet_where_an_exact_search_says) {
  std::array<MedialCulling, 2> culling = {MedialCulling(CullMethod::BruteForce),
                                          MedialCulling(CullMethod::Tree)};
  size_t pairs = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    const MedialBounds& a = list_bounds()[seed % 4];
    const MedialBounds& b = list_bounds()[(seed + 1) % 4];
    const VecX na = deform_nodes(a.rest(), Deformation::Wave, 0.5, seed);
    VecX nb = deform_nodes(b.rest(), Deformation::Wave, 0.5, seed + 100);
    // One on the other.
    const Vec3 shift = compute_surface(a.rest(), na)[3] - compute_surface(b.rest(), nb)[7];
    for (Eigen::Index i = 0; i < nb.size() / 3; ++i) nb.segment<3>(3 * i) += shift;
    for (MedialCulling& method : culling) {
      const MedialTrial trial = try_two(a, na, b, nb, BoundKind::Affine, method);
      EXPECT_EQ(trial.outside + trial.missed + trial.invented, 0u) << seed;
      pairs += trial.pairs;
    }
  }
  EXPECT_GT(pairs, 200u);
}

TEST(MedialBounds, a_tree_finds_the_same_overlaps) {
  MedialCulling brute(CullMethod::BruteForce), tree(CullMethod::Tree);
  for (const MedialBounds& bounds : list_bounds()) {
    MedialCover cover;
    bounds.update(BoundKind::Affine, deform_nodes(bounds.rest(), Deformation::Fold, 0.8, 3), cover);
    std::vector<PrimitiveOverlap> first, second;
    brute.find_self(bounds.primitives(), cover, first);
    tree.find_self(bounds.primitives(), cover, second);
    ASSERT_EQ(first.size(), second.size());
    for (size_t i = 0; i < first.size(); ++i) {
      EXPECT_EQ(first[i].a, second[i].a);
      EXPECT_EQ(first[i].b, second[i].b);
      EXPECT_EQ(first[i].deepest.gap, second[i].deepest.gap);
    }
  }
}

// What the body does as a whole costs nothing; what the paper's displacement bounding makes of it is said
// beside it.
TEST(MedialBounds, stay_as_they_are_when_the_body_moves_as_a_whole) {
  for (const MedialBounds& bounds : list_bounds()) {
    const VecX n = deform_nodes(bounds.rest(), Deformation::Rigid, 1, 4);
    MedialCover rest, rigid, affine, displaced;
    bounds.update(BoundKind::Affine, rest_nodes(bounds.rest()), rest);
    bounds.update(BoundKind::Rigid, n, rigid);
    bounds.update(BoundKind::Affine, n, affine);
    bounds.update(BoundKind::Displacement, n, displaced);
    for (size_t p = 0; p < rest.primitives.size(); ++p) {
      EXPECT_LT(affine.growth[p], 1e-6);
      EXPECT_LT(rigid.growth[p], 1e-6);
      EXPECT_NEAR(affine.primitives[p].r[0], rest.primitives[p].r[0], 1e-6);
      EXPECT_GT(displaced.primitives[p].r[0], rest.primitives[p].r[0] + 0.3);
    }
  }
}

TEST(MedialBounds, an_affine_motion_only_stretches_the_radii) {
  const MedialBounds& bounds = list_bounds()[0];
  MedialCover cover;
  bounds.update(BoundKind::Affine, deform_nodes(bounds.rest(), Deformation::Stretch, 1, 2), cover);
  for (const double growth : cover.growth) EXPECT_LT(growth, 1e-6);
}

TEST(MedialBounds, more_representatives_are_tighter_and_all_are_exact) {
  const MedialRest& rest = list_solids()[0].rest;
  const VecX n = deform_nodes(rest, Deformation::Bend, 0.7, 1);
  double last = INFINITY;
  for (const int count : {1, 8, 64, 100000}) {
    const MedialBounds bounds(rest, {.representatives = count});
    MedialCover cover;
    bounds.update(BoundKind::Affine, n, cover);
    double sum = 0;
    for (const double growth : cover.growth) sum += growth;
    EXPECT_LT(sum, 0.95 * last) << count;
    last = sum;
  }
}

// Rows of weights need not sum to 1: the rest of a point then stays at rest, and is bound like a handle.
TEST(MedialBounds, hold_points_whose_weights_lack_something) {
  MedialRest rest = list_solids()[0].rest;
  for (size_t k = 0; k < rest.surface_weights.values.size(); ++k)
    if (rest.surface_weights.indices[k] < 8) rest.surface_weights.values[k] *= 0.7;
  const MedialBounds bounds(rest);
  MedialCulling culling;
  for (const Deformation deformation : {Deformation::Rigid, Deformation::Bend}) {
    const MedialTrial trial =
        try_self(bounds, BoundKind::Affine, deform_nodes(rest, deformation, 0.5, 9), culling);
    EXPECT_EQ(trial.outside + trial.missed + trial.invented, 0u);
  }
}

// Chains of cones get quadratic handles, meshes of slabs affine ones, and so do handles that move little.
TEST(HandleKinds, are_chosen_by_neighbours_and_volume_or_by_hand) {
  MedialOptions options;
  options.handles = 6;
  options.cells = 12;
  MedialReport report;
  const Mesh rod = make_surface(RodShape{.length = 1, .radius = 0.06});
  const PreparedMedial prepared = prepare_medial(rod, "rod", options, report);
  const std::vector<double> volumes = measure_handle_volumes(prepared);
  double total = 0;
  for (const double volume : volumes) total += volume;
  EXPECT_NEAR(total, 0.0113, 0.002);  // of the rod
  const auto count = [](const std::vector<HandleKind>& kinds) {
    return std::count(kinds.begin(), kinds.end(), HandleKind::Quadratic);
  };
  const std::vector<HandleKind> kinds = choose_handle_kinds(prepared);
  for (size_t j = 0; j < kinds.size(); ++j) {
    const bool is_small = volumes[j] < 0.1 * total / static_cast<double>(kinds.size());
    EXPECT_EQ(kinds[j] == HandleKind::Affine, is_small) << j;
  }
  EXPECT_GE(count(kinds), 4);
  EXPECT_EQ(
      count(choose_handle_kinds(prepared, {prepared.handles[2], prepared.handles[2] + Vec3(1e-3, 0, 0)})), 1);
  const PreparedMedial plate =
      prepare_medial(make_surface(BoxShape{.size = {1, 0.1, 1}}), "plate", options, report);
  EXPECT_LT(count(choose_handle_kinds(plate)), static_cast<std::ptrdiff_t>(plate.handles.size()));
}

TEST(MedialBounds, hold_bodies_of_mixed_handles) {
  MedialOptions options;
  options.handles = 8;
  options.cells = 12;
  MedialReport report;
  const PreparedMedial prepared = prepare_medial(make_surface(TorusShape{}), "ring", options, report);
  BodyHandles handles = list_body_handles(prepared, HandleKind::Affine);
  for (size_t j = 0; j < handles.kinds.size(); j += 2) handles.kinds[j] = HandleKind::Quadratic;
  const MedialBounds bounds(make_medial_rest(prepared, handles));
  MedialCulling culling;
  for (const Deformation deformation : kDeformations) {
    for (unsigned seed = 0; seed < 4; ++seed) {
      const VecX n = deform_nodes(bounds.rest(), deformation, 0.8, seed);
      const MedialTrial trial = try_self(bounds, kBoundKinds[seed], n, culling);
      EXPECT_EQ(trial.outside + trial.missed + trial.invented, 0u) << name_of(deformation);
    }
  }
}

TEST(MedialBounds, the_nodes_of_a_surface_are_found_again) {
  for (const MedialBounds& bounds : list_bounds()) {
    const MedialRest& rest = bounds.rest();
    const NodeFit fit(rest);
    for (const Deformation deformation : {Deformation::Rigid, Deformation::Bend, Deformation::Wave}) {
      const Points x = compute_surface(rest, deform_nodes(rest, deformation, 0.6, 5));
      const Points y = compute_surface(rest, fit.fit(x));
      double worst = 0;
      for (size_t i = 0; i < x.size(); ++i) worst = std::max(worst, (x[i] - y[i]).norm());
      EXPECT_LT(worst, 1e-3) << name_of(deformation);
    }
  }
}

// A surface that no nodes give is held as well.
TEST(MedialBounds, hold_a_surface_beside_its_nodes) {
  const MedialBounds& bounds = list_bounds()[2];
  Points x = compute_surface(bounds.rest(), deform_nodes(bounds.rest(), Deformation::Fold, 0.9, 8));
  for (size_t i = 0; i < x.size(); ++i)
    x[i] += 0.02 * Vec3(std::sin(3.0 * i), std::cos(5.0 * i), std::sin(7.0 * i));
  const NodeFit fit(bounds.rest());
  MedialCulling culling;
  for (const BoundKind kind : {BoundKind::Affine, BoundKind::Measured}) {
    MedialCover cover;
    bounds.update(kind, fit.fit(x), x, cover);
    std::vector<PrimitiveOverlap> overlaps;
    culling.find_self(bounds.primitives(), cover, overlaps);
    std::vector<IndexPair> found;
    const MedialSurface surface = {&bounds, &cover, &x};
    find_meeting_triangles(surface, surface, overlaps, found);
    EXPECT_GT(found.size(), 5u);
    EXPECT_EQ(found, find_meeting_exactly(bounds.rest().surface.triangles, x));
  }
}

TEST(MedialBounds, are_the_same_on_every_number_of_threads) {
  const MedialBounds& bounds = list_bounds()[2];
  const VecX n = deform_nodes(bounds.rest(), Deformation::Fold, 0.9, 8);
  std::vector<double> radii;
  std::vector<IndexPair> pairs;
  for (const int threads : {1, 2, 4}) {
    exec::set_thread_count(threads);
    MedialCover cover;
    bounds.update(BoundKind::Affine, n, cover);
    std::vector<double> now;
    for (const MedialBalls& balls : cover.primitives) now.insert(now.end(), balls.r.begin(), balls.r.end());
    MedialCulling culling;
    std::vector<PrimitiveOverlap> overlaps;
    culling.find_self(bounds.primitives(), cover, overlaps);
    const Points x = compute_surface(bounds.rest(), n);
    const MedialSurface surface = {&bounds, &cover, &x};
    std::vector<IndexPair> found;
    find_meeting_triangles(surface, surface, overlaps, found);
    if (threads > 1) {
      EXPECT_EQ(now, radii);
      EXPECT_EQ(found, pairs);
    }
    radii = now;
    pairs = found;
  }
  exec::set_thread_count(0);
}

}  // namespace
}  // namespace marrow
