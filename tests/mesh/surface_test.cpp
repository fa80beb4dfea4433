#include "mesh/surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "mesh/shapes.h"

namespace marrow {
namespace {

TEST(Surface, one_tet) {
  EXPECT_EQ(extract_surface({{0, 1, 2, 3}}),
            (std::vector<Triangle>{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}));
  EXPECT_TRUE(extract_surface({}).empty());
}

TEST(Surface, shared_face_is_inside) {
  const std::vector<Triangle> surface = extract_surface({{0, 1, 2, 3}, {1, 2, 3, 4}});
  EXPECT_EQ(surface.size(), 6u);
  for (Triangle t : surface) {
    std::sort(t.begin(), t.end());
    EXPECT_NE(t, (Triangle{1, 2, 3}));
  }
}

// By brute force, as sorted vertices.
std::set<Triangle> boundary_by_counting(const std::vector<Tet>& tets) {
  std::map<Triangle, int> counts;
  for (Tet t : tets) {
    std::sort(t.begin(), t.end());
    for (size_t skipped = 0; skipped < 4; ++skipped) {
      Triangle face;
      std::copy_if(t.begin(), t.end(), face.begin(), [&](Index v) { return v != t[skipped]; });
      ++counts[face];
    }
  }
  std::set<Triangle> boundary;
  for (const auto& [face, count] : counts) {
    if (count == 1) boundary.insert(face);
  }
  return boundary;
}

TEST(Surface, agrees_with_counting_and_ignores_the_order_of_tets) {
  std::mt19937 random(1);
  std::vector<Tet> tets = build_shape(TorusShape{}).tets;
  tets.resize(tets.size() / 2);
  const std::vector<Triangle> surface = extract_surface(tets);
  std::set<Triangle> sorted;
  for (Triangle t : surface) {
    std::sort(t.begin(), t.end());
    sorted.insert(t);
  }
  EXPECT_EQ(sorted, boundary_by_counting(tets));
  EXPECT_EQ(sorted.size(), surface.size());
  std::shuffle(tets.begin(), tets.end(), random);
  EXPECT_EQ(extract_surface(tets), surface);
}

TEST(UniqueEdges, sorted_and_complete) {
  EXPECT_EQ(unique_edges(std::vector<Triangle>{{2, 1, 0}, {3, 1, 2}}),
            (std::vector<Edge>{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(unique_edges(std::vector<Tet>{{3, 1, 2, 0}}).size(), 6u);
  EXPECT_TRUE(unique_edges(std::vector<Triangle>{}).empty());
}

}  // namespace
}  // namespace marrow
