#include "witness/checker_pairs.h"

namespace marrow::checker {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Round the points and radii of an element at all instants, rounded outwards.
CheckerBox compute_box(const SurfaceSet& surfaces, const std::vector<const Points*>& instants,
                       const exact::Simplex& simplex) {
  CheckerBox box{Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)};
  for (const Points* points : instants) {
    for (int i = 0; i < simplex.count; ++i) {
      const size_t v = static_cast<size_t>(simplex[i]);
      const Vec3& p = (*points)[v];
      const double r = surfaces.radii.empty() ? 0 : surfaces.radii[v];
      // Overlaps nothing, itself included.
      if (!p.allFinite() || !std::isfinite(r)) return {Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)};
      CheckerBox ball{p, p};
      for (int k = 0; k < 3 && r > 0; ++k) {
        ball.lower[k] = std::nextafter(p[k] - r, -kInfinity);
        ball.upper[k] = std::nextafter(p[k] + r, kInfinity);
      }
      box.include(ball);
    }
  }
  return box;
}

}  // namespace

void PairSearch::find_points_not_finite() {
  for (size_t i = 0; i < instants.front()->size(); ++i) {
    bool is_finite = surfaces.radii.empty() || std::isfinite(surfaces.radii[i]);
    for (const Points* points : instants) is_finite = is_finite && (*points)[i].allFinite();
    if (!is_finite) report.not_finite.push_back(static_cast<Index>(i));
  }
}

CheckerBoxes PairSearch::build_boxes(const std::vector<Element>& elements) const {
  std::vector<CheckerBox> boxes;
  std::vector<Index> ids;
  for (const Element& element : elements) {
    boxes.push_back(compute_box(surfaces, instants, element.simplex));
    // What is not finite stays out of the tree.
    if (boxes.back().lower[0] <= boxes.back().upper[0]) ids.push_back(static_cast<Index>(boxes.size() - 1));
  }
  return CheckerBoxes(std::move(boxes), std::move(ids));
}

IgnoredBodies::IgnoredBodies(const std::vector<std::array<Index, 2>>& pairs) {
  for (const auto& [a, b] : pairs) {
    if (a != b) {
      different_bodies_.push_back({std::min(a, b), std::max(a, b)});
      continue;
    }
    ignores_itself_.resize(std::max(ignores_itself_.size(), static_cast<size_t>(a) + 1), 0);
    ignores_itself_[static_cast<size_t>(a)] = 1;
  }
  std::sort(different_bodies_.begin(), different_bodies_.end());
}

bool IgnoredBodies::has(Index a, Index b) const {
  if (a == b) return ignores_itself(a);
  return std::binary_search(different_bodies_.begin(), different_bodies_.end(),
                            std::array<Index, 2>{std::min(a, b), std::max(a, b)});
}

// Spheres, cones and slabs of one body that share a vertex, or did overlap at rest.
bool PairSearch::may_overlap(const Element& a, const Element& b) const {
  for (int i = 0; i < a.simplex.count; ++i) {
    if (b.simplex.has(a.simplex[i])) return true;
  }
  const auto corners = [](const Element& e) {
    return std::span(e.simplex.corners).first(static_cast<size_t>(e.simplex.count));
  };
  return options.overlapping.contains(corners(a), corners(b));
}

bool PairSearch::is_left_out(const Element& a, const Element& b) const {
  const auto is_fixed = [&](const Element& element) {
    for (int i = 0; i < element.simplex.count; ++i) {
      if (options.fixed[static_cast<size_t>(element.simplex[i])] == 0) return false;
    }
    return true;
  };
  if (!options.fixed.empty() && is_fixed(a) && is_fixed(b)) return true;
  const Index body_a = body_of(surfaces, a), body_b = body_of(surfaces, b);
  if (body_a == body_b && is_of_balls(options, body_a) && may_overlap(a, b)) return true;
  return !options.ignored_bodies.empty() && ignored.has(body_a, body_b);
}

std::vector<CheckerBox> PairSearch::compute_body_boxes() const {
  std::vector<CheckerBox> boxes;
  for (size_t i = 0; i < surfaces.bodies.size(); ++i) {
    const auto body = static_cast<size_t>(surfaces.bodies[i]);
    if (body >= boxes.size()) boxes.resize(body + 1, {Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)});
    exact::Simplex point;
    point.corners[0] = static_cast<Index>(i);
    point.count = 1;
    boxes[body].include(compute_box(surfaces, instants, point));
  }
  return boxes;
}

std::vector<Element> PairSearch::list_exposed(const std::vector<Element>& elements) const {
  if (options.ignored_bodies.empty() || surfaces.bodies.empty()) return elements;
  const std::vector<CheckerBox> bodies = compute_body_boxes();
  std::vector<Index> ids;
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].lower[0] <= bodies[b].upper[0]) ids.push_back(static_cast<Index>(b));
  }
  const CheckerBoxes tree(bodies, ids);
  std::vector<std::vector<Index>> others(bodies.size());
  for (const Index body : ids) {
    tree.for_each_overlap(bodies[static_cast<size_t>(body)], [&](Index other) {
      if (other != body) others[static_cast<size_t>(body)].push_back(other);
    });
  }
  std::vector<Element> exposed;
  for (const Element& element : elements) {
    const Index body = body_of(surfaces, element);
    const CheckerBox box = compute_box(surfaces, instants, element.simplex);
    const auto meets = [&](Index other) { return box.overlaps(bodies[static_cast<size_t>(other)]); };
    const std::vector<Index>& near = others[static_cast<size_t>(body)];
    if (!ignored.ignores_itself(body) || std::any_of(near.begin(), near.end(), meets))
      exposed.push_back(element);
  }
  return exposed;
}

void PairSearch::add_found(const Found& part, const std::vector<Element>& as,
                           const std::vector<Element>& bs) {
  report.candidates += part.counts.candidates;
  report.duplicates += part.counts.duplicates;
  report.intersections += part.counts.intersections;
  report.undecided += part.counts.undecided;
  for (size_t i = 0; i < part.ids.size() && report.pairs.size() < options.max_listed; ++i) {
    const auto [a, b] = part.ids[i];
    report.pairs.push_back({describe(surfaces, as[static_cast<size_t>(a)]),
                            describe(surfaces, bs[static_cast<size_t>(b)]), part.verdicts[i].is_undecided,
                            part.verdicts[i].time});
  }
}

}  // namespace marrow::checker
