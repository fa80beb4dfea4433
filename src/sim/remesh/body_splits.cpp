#include "sim/remesh/body_splits.h"

#include <algorithm>
#include <map>

namespace marrow {
namespace {

struct LongestEdges {
  int most_edges = 10;  // that are followed [safety net: each is longer than the one before]
  // An edge counts as longer from this on, in squared length. [derived: with 1, edges of one length would
  // follow each other in a circle]
  double longer = 1.01;
  // Least quality of their tets. Splits of longest edges alone keep tets from becoming ever thinner, so this
  // need not be that of other splits. [safety net: well above flat]
  double least_quality = 0.1;
};
constexpr LongestEdges kLongest;

Points take_points(const VecX& n, const Body& body) {
  Points points;
  for (Index i = 0; i < body.node_count; ++i) points.push_back(n.segment<3>(3 * (body.first_node + i)));
  return points;
}

}  // namespace

BodySplits::BodySplits(const Model& model, const RemeshedBody& facts, const VecX& before, const VecX& after)
    : body_(facts.body),
      edit_({model.kinematics.bodies[facts.body].rest.points,
             take_points(before, model.kinematics.bodies[facts.body]),
             take_points(after, model.kinematics.bodies[facts.body])},
            model.kinematics.bodies[facts.body].rest.tets, {facts.options.min_quality}),
      start_(model.kinematics.bodies[facts.body].node_count),
      least_quality_(facts.options.min_quality) {
  const Body& body = model.kinematics.bodies[facts.body];
  for (size_t g = 0; g < model.prescribed.size(); ++g) {
    std::vector<char> flags(static_cast<size_t>(body.node_count), 0);
    bool is_any = false;
    for (const Index node : model.prescribed[g].nodes) {
      if (node < body.first_node || node >= body.first_node + body.node_count) continue;
      flags[node - body.first_node] = 1;
      is_any = true;
    }
    if (!is_any) continue;
    groups_.push_back(static_cast<Index>(g));
    is_held_.push_back(std::move(flags));
  }
}

// The places in groups_ of those that hold a whole face of the border, or a whole tet, at the edge.
std::vector<Index> BodySplits::find_holding_groups(Edge edge) const {
  const std::vector<Index> star = edit_.find_star(edge);
  std::map<Index, int> others;  // the points across, and in how many tets they are
  for (const Index t : star) {
    for (const Index i : edit_.tet(t)) {
      if (i != edge[0] && i != edge[1]) ++others[i];
    }
  }
  std::vector<Index> holding;
  for (size_t g = 0; g < groups_.size(); ++g) {
    const auto is_in = [&](Index i) { return is_held_[g][i] != 0; };
    if (!is_in(edge[0]) || !is_in(edge[1])) continue;
    const bool has_face = std::any_of(others.begin(), others.end(), [&](const auto& other) {
      return other.second == 1 && is_in(other.first);
    });
    const bool has_tet = std::any_of(star.begin(), star.end(), [&](Index t) {
      const Tet& tet = edit_.tet(t);
      return std::all_of(tet.begin(), tet.end(), is_in);
    });
    if (has_face || has_tet) holding.push_back(static_cast<Index>(g));
  }
  return holding;
}

bool BodySplits::split(Edge edge, double least_quality) {
  const std::vector<Index> holding = find_holding_groups(edge);
  const std::optional<Index> middle = edit_.split(edge, least_quality);
  if (!middle) return false;
  for (std::vector<char>& flags : is_held_) flags.push_back(0);
  for (const Index g : holding) {
    is_held_[g].back() = 1;
    made_held_.push_back({groups_[g], *middle});
  }
  return true;
}

bool BodySplits::split_after_longer(Edge edge, int most) {
  for (int k = 0; k < kLongest.most_edges && made() < most; ++k) {
    if (!split_longest(edge)) return false;
    if (made() < most && split(edge)) return true;
  }
  return false;
}

// Splits the longest edge around this one, or the longest around that, and so on. False if there is none.
bool BodySplits::split_longest(Edge edge) {
  const Points& x = edit_.rest();
  const auto length = [&](Edge e) { return (x[e[0]] - x[e[1]]).squaredNorm(); };
  for (int k = 0; k < kLongest.most_edges; ++k) {
    Edge longest = edge;
    for (const Index t : edit_.find_star(edge)) {
      const Tet& tet = edit_.tet(t);
      for (size_t i = 0; i < 4; ++i) {
        for (size_t j = i + 1; j < 4; ++j) {
          const Edge other = {std::min(tet[i], tet[j]), std::max(tet[i], tet[j])};
          if (length(other) > kLongest.longer * length(longest)) longest = other;
        }
      }
    }
    if (longest == edge) return false;
    if (split(longest, std::min(kLongest.least_quality, least_quality_))) return true;
    edge = longest;
  }
  return false;
}

std::vector<Edge> BodySplits::list_parents() const {
  std::vector<Edge> parents;
  for (int i = 0; i < made(); ++i) parents.push_back(edit_.parents(start_ + i));
  return parents;
}

std::shared_ptr<const ChangedMesh> BodySplits::make_mesh(const ChangedMesh* old) const {
  TetEdit::Packed packed = edit_.pack();
  auto mesh = std::make_shared<ChangedMesh>();
  mesh->body = body_;
  mesh->points = std::move(packed.positions[0]);
  mesh->tets = std::move(packed.tets);
  if (old != nullptr) {
    mesh->origins = old->origins;
    mesh->held = old->held;
  } else {
    for (Index i = 0; i < start_; ++i) mesh->origins.push_back(i);
  }
  mesh->origins.resize(mesh->points.size(), kNone);
  mesh->held.insert(mesh->held.end(), made_held_.begin(), made_held_.end());
  return mesh;
}

}  // namespace marrow
