#include "sim/impacts.h"

#include <algorithm>
#include <cmath>

#include "kinematics/charts.h"
#include "sim/terms/predict.h"

namespace marrow {
namespace {

// In half-widths of the smaller body. [D21]
struct ImpactOptions {
  double least_path = 0.5;   // a pair with a shorter path past each other takes a whole step
  double least_depth = 0.1;  // so does a pair that closes by less
  double approach = 0.1;     // a part ends at a meeting farther away than this
  double over = 0.25;        // the longest path of the part that goes over a meeting
  double least_part = 1e-9;  // fraction of the remaining step: less is lost in the rounding of times
};
constexpr ImpactOptions kImpact;

// The motion of a body on the expected path.
struct BodyMotion {
  Vec3 shift = Vec3::Zero();  // of the mean of its nodes [m]
  double deviation = 0;       // largest difference of a point's path from that [m]
  Eigen::AlignedBox3d box;    // around all of its path
};

BodyMotion find_motion(const Body& body, const BodySize& size, const NodePath& path, const VecX& end,
                       double margin) {
  BodyMotion motion;
  const Vec3 center = compute_mean(path.start, body.first_node, body.node_count);
  motion.shift = compute_mean(end, body.first_node, body.node_count) - center;
  Eigen::AlignedBox3d box;
  for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
    const Vec3 step = end.segment<3>(3 * i) - path.start.segment<3>(3 * i);
    motion.deviation = std::max(motion.deviation, size.node_ratio * (step - motion.shift).norm());
    box.extend(Vec3(path.start.segment<3>(3 * i)));
    box.extend(Vec3(end.segment<3>(3 * i)));
  }
  if (size.node_ratio > 1) {  // nodes lie within the body
    box.extend(Vec3(center.array() - size.radius)).extend(Vec3(center.array() + size.radius));
    const Vec3 there = center + motion.shift;
    box.extend(Vec3(there.array() - size.radius)).extend(Vec3(there.array() + size.radius));
  }
  const Vec3 grown = Vec3::Constant(margin + motion.deviation);
  motion.box = {box.min() - grown, box.max() + grown};
  return motion;
}

// Two bodies whose relative path is long.
struct FastPair {
  IndexPair bodies;
  double path = 0;   // at most [m]
  double width = 0;  // half-width of the smaller [m]
};

// Bodies whose boxes overlap, by sweeping along x.
std::vector<FastPair> list_fast_pairs(const std::vector<BodySize>& sizes,
                                      const std::vector<BodyMotion>& motions) {
  std::vector<Index> order(motions.size());
  for (size_t b = 0; b < order.size(); ++b) order[b] = static_cast<Index>(b);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::pair(motions[a].box.min().x(), a) < std::pair(motions[b].box.min().x(), b);
  });
  std::vector<FastPair> pairs;
  std::vector<Index> open;
  for (const Index b : order) {
    std::erase_if(open, [&](Index a) { return motions[a].box.max().x() < motions[b].box.min().x(); });
    for (const Index a : open) {
      const double width = std::min(sizes[a].half_width, sizes[b].half_width);
      const double path =
          (motions[a].shift - motions[b].shift).norm() + motions[a].deviation + motions[b].deviation;
      if (!std::isfinite(width) || path <= kImpact.least_path * width) continue;
      if (motions[a].box.intersects(motions[b].box)) {
        pairs.push_back({{std::min(a, b), std::max(a, b)}, path, width});
      }
    }
    open.push_back(b);
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const FastPair& p, const FastPair& q) { return p.bodies < q.bodies; });
  return pairs;
}

// The distance that two bodies move past each other: that of the points that meet and, if a body deforms,
// also that of the whole body, which moves on when its surface is stopped.
double find_path_past(const std::vector<Body>& bodies, const std::vector<BodyMotion>& motions,
                      const NearBodies& near) {
  std::array<std::array<Vec3, 2>, 2> shifts;  // by body
  for (size_t k = 0; k < 2; ++k) {
    const Body& body = bodies[near.bodies[k]];
    const bool deforms = !body.moves_as_one() && !body.is_obstacle();
    shifts[k] = {near.shifts[k], deforms ? motions[near.bodies[k]].shift : near.shifts[k]};
  }
  double farthest = 0;
  for (const Vec3& a : shifts[0]) {
    for (const Vec3& b : shifts[1]) farthest = std::max(farthest, (a - b).norm());
  }
  return farthest;
}

// The part of the path to take first: to where the pair comes within d̂, or over that place.
double choose_part(const FastPair& pair, const NearBodies& near) {
  if (near.begin * pair.path > kImpact.approach * pair.width) return near.begin;
  return std::min(1.0, near.begin + kImpact.over * pair.width / pair.path);
}

// The positions that prescribed nodes reach by their motion in this interval. Nodes that were held up do not
// jump to their targets.
Points find_reached_targets(const StepTerms& terms, const Interval& interval, const VecX& n) {
  Points targets;
  for (const PrescribedNodes& group : terms.model.prescribed) {
    if (!group.is_active(interval.end)) continue;
    const Points before = compute_positions(group, interval.end - interval.length);
    const Points after = compute_positions(group, interval.end);
    for (size_t k = 0; k < group.nodes.size(); ++k) {
      targets.push_back(n.segment<3>(3 * group.nodes[k]) + (after[k] - before[k]));
    }
  }
  return targets;
}

}  // namespace

double find_first_part(StepTerms& terms, const Interval& interval, const State& state) {
  const Model& model = terms.model;
  if (!terms.has_contact || model.time.integrator == Integrator::QuasiStatic) return 1;
  update_prescribed(terms, interval.end);
  const StepPlan plan = get_implicit_euler().plan(model, terms.is_prescribed, state, interval.length);
  const NodePath path =
      find_expected_path(terms, plan, state.nodes, find_reached_targets(terms, interval, state.nodes));
  const VecX end = path.at(1);
  std::vector<BodyMotion> motions;
  for (size_t b = 0; b < model.kinematics.bodies.size(); ++b) {
    motions.push_back(
        find_motion(model.kinematics.bodies[b], terms.sizes[b], path, end, model.contact.d_hat));
  }
  std::vector<FastPair> fast = list_fast_pairs(terms.sizes, motions);
  while (!fast.empty()) {
    std::vector<IndexPair> bodies;
    for (const FastPair& pair : fast) bodies.push_back(pair.bodies);
    const Meeting meeting = terms.contact.finder().find_meeting(path, bodies);
    if (meeting.alpha >= 1 || meeting.near.empty()) return 1;
    double part = 1;
    for (const NearBodies& near : meeting.near) {
      const auto found = std::lower_bound(fast.begin(), fast.end(), near.bodies,
                                          [](const FastPair& p, const IndexPair& b) { return p.bodies < b; });
      const double path_past = find_path_past(model.kinematics.bodies, motions, near);
      if (near.depth > kImpact.least_depth * found->width && path_past > kImpact.least_path * found->width) {
        part = std::min(part, choose_part(*found, near));
      }
    }
    if (part < 1) return std::max(part, kImpact.least_part);
    // These pairs only touch in passing; the others are examined without them.
    std::erase_if(fast, [&](const FastPair& pair) {
      return std::any_of(meeting.near.begin(), meeting.near.end(),
                         [&](const NearBodies& near) { return near.bodies == pair.bodies; });
    });
  }
  return 1;
}

}  // namespace marrow
