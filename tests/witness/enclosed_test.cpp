#include "witness/enclosed.h"

#include <gtest/gtest.h>

#include "mesh/shapes.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

// Boxes of these sizes about a place, each a body; solid unless listed as hollow.
Witness make_boxes(const std::vector<double>& sizes, const Vec3& place,
                   const std::vector<Index>& hollow = {}) {
  WitnessedBodies all;
  for (size_t b = 0; b < sizes.size(); ++b) {
    const Mesh box = build_shape(BoxShape{});
    const auto first = static_cast<Index>(all.surfaces.points.size());
    for (const Vec3& x : box.points) {
      all.surfaces.points.push_back(sizes[b] * x + static_cast<double>(b) * place);
      all.surfaces.bodies.push_back(static_cast<Index>(b));
    }
    for (Triangle t : extract_surface(box.tets)) {
      for (Index& i : t) i += first;
      all.surfaces.triangles.push_back(t);
    }
    if (std::count(hollow.begin(), hollow.end(), static_cast<Index>(b)) > 0) continue;
    for (Tet t : box.tets) {
      for (Index& i : t) i += first;
      all.tets.push_back(t);
    }
  }
  return Witness(std::move(all));
}

using Bodies = std::vector<EnclosedBody>;

TEST(Enclosed, finds_a_body_inside_another_that_touches_no_surface) {
  const Witness boxes = make_boxes({1, 0.1}, {0.013, 0.017, 0.019});
  EXPECT_TRUE(boxes.count().is_clean());
  EXPECT_EQ(find_enclosed_bodies(boxes), (Bodies{{1, 0}}));
  EXPECT_EQ(find_enclosed_bodies(make_boxes({1, 0.1}, {3, 0, 0})), Bodies{});
}

TEST(Enclosed, finds_each_of_nested_bodies) {
  EXPECT_EQ(find_enclosed_bodies(make_boxes({1, 0.3, 0.1}, {0.013, 0.017, 0.019})),
            (Bodies{{1, 0}, {2, 0}, {2, 1}}));
}

TEST(Enclosed, leaves_out_hollow_bodies_and_pairs_that_may_meet) {
  EXPECT_EQ(find_enclosed_bodies(make_boxes({1, 0.1}, {0.013, 0.017, 0.019}, {0})), Bodies{});
  const Witness boxes = make_boxes({1, 0.1}, {0.013, 0.017, 0.019});
  WitnessedBodies ignoring{boxes.surfaces(), boxes.tets()};
  ignoring.exceptions.ignored_bodies = {{0, 1}};
  EXPECT_EQ(find_enclosed_bodies(Witness(ignoring)), Bodies{});
  WitnessedBodies obstacles{boxes.surfaces(), boxes.tets()};
  obstacles.exceptions.fixed.assign(boxes.surfaces().points.size(), 1);
  EXPECT_EQ(find_enclosed_bodies(Witness(obstacles)), Bodies{});
}

}  // namespace
}  // namespace marrow
