#include "witness/enclosed.h"

#include <algorithm>
#include <set>
#include <utility>

#include "exact/predicates.h"
#include "witness/checker_boxes.h"
#include "witness/checker_pairs.h"

namespace marrow {
namespace {

class Enclosure {
 public:
  explicit Enclosure(const Witness& witness)
      : witness_(witness), ignored_(witness.exceptions().ignored_bodies), boxes_(build_boxes()) {}

  std::vector<EnclosedBody> find() const {
    std::set<std::pair<Index, Index>> found;
    for (const Index point : list_colliding_points()) {
      const Vec3& x = at(point);
      if (!x.allFinite()) continue;
      boxes_.for_each_overlap({x, x}, [&](Index tet) {
        const Index inner = body_of(point), outer = body_of(witness_.tets()[static_cast<size_t>(tet)][0]);
        if (inner == outer || found.count({inner, outer}) > 0 || may_meet(point, tet)) return;
        if (is_inside(x, witness_.tets()[static_cast<size_t>(tet)])) found.insert({inner, outer});
      });
    }
    std::vector<EnclosedBody> bodies;
    for (const auto& [inner, outer] : found) bodies.push_back({inner, outer});
    return bodies;
  }

 private:
  const Vec3& at(Index point) const { return witness_.surfaces().points[static_cast<size_t>(point)]; }
  Index body_of(Index point) const {
    const std::vector<Index>& bodies = witness_.surfaces().bodies;
    return bodies.empty() ? 0 : bodies[static_cast<size_t>(point)];
  }

  // Boxes of the tets; those that are not finite overlap nothing.
  CheckerBoxes build_boxes() const {
    std::vector<CheckerBox> boxes;
    std::vector<Index> ids;
    for (const Tet& tet : witness_.tets()) {
      CheckerBox box{at(tet[0]), at(tet[0])};
      bool is_finite = true;
      for (const Index corner : tet) {
        box.include({at(corner), at(corner)});
        is_finite = is_finite && at(corner).allFinite();
      }
      if (is_finite) ids.push_back(static_cast<Index>(boxes.size()));
      boxes.push_back(box);
    }
    return CheckerBoxes(std::move(boxes), std::move(ids));
  }

  std::vector<Index> list_colliding_points() const {
    const SurfaceSet& surfaces = witness_.surfaces();
    std::vector<Index> points = surfaces.loose_points;
    for (const Edge& e : surfaces.edges) points.insert(points.end(), e.begin(), e.end());
    for (const Triangle& t : surfaces.triangles) points.insert(points.end(), t.begin(), t.end());
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
  }

  bool may_meet(Index point, Index tet) const {
    const std::vector<std::uint8_t>& fixed = witness_.exceptions().fixed;
    const Index corner = witness_.tets()[static_cast<size_t>(tet)][0];
    if (!fixed.empty() && fixed[static_cast<size_t>(point)] != 0 && fixed[static_cast<size_t>(corner)] != 0) {
      return true;
    }
    return ignored_.has(body_of(point), body_of(corner));
  }

  // Of a tet of either orientation.
  bool is_inside(const Vec3& x, const Tet& tet) const {
    const Vec3 &a = at(tet[0]), &b = at(tet[1]), &c = at(tet[2]), &d = at(tet[3]);
    const int sign = orient3_sign(a, b, c, d);
    return sign != 0 && orient3_sign(x, b, c, d) == sign && orient3_sign(a, x, c, d) == sign &&
           orient3_sign(a, b, x, d) == sign && orient3_sign(a, b, c, x) == sign;
  }

  const Witness& witness_;
  checker::IgnoredBodies ignored_;
  CheckerBoxes boxes_;
};

}  // namespace

std::vector<EnclosedBody> find_enclosed_bodies(const Witness& witness) { return Enclosure(witness).find(); }

}  // namespace marrow
