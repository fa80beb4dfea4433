// Finding the pairs of elements whose boxes overlap, testing them in parallel and listing the offenders in
// order. The inner part of witness/checker.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "exact/simplices.h"
#include "exec/parallel.h"
#include "witness/checker.h"
#include "witness/checker_boxes.h"

namespace marrow::checker {

struct Element {
  ElementKind kind = ElementKind::Face;
  Index id = kNone;
  exact::Simplex simplex;
};

// What a test says about a pair.
struct Verdict {
  bool is_offending = false;
  bool is_undecided = false;
  bool is_duplicate = false;
  double time = 0;
};

inline Index body_of(const SurfaceSet& surfaces, const Element& element) {
  return surfaces.bodies.empty() ? 0 : surfaces.bodies[static_cast<size_t>(element.simplex[0])];
}

// Whether a body is made of spheres, cones and slabs.
inline bool is_of_balls(const CheckerOptions& options, Index body) {
  return std::binary_search(options.ball_bodies.begin(), options.ball_bodies.end(), body);
}

inline double largest_radius(const SurfaceSet& surfaces, const Element& element) {
  double largest = 0;
  if (surfaces.radii.empty()) return largest;
  for (int i = 0; i < element.simplex.count; ++i) {
    largest = std::max(largest, surfaces.radii[static_cast<size_t>(element.simplex[i])]);
  }
  return largest;
}

inline SurfaceElement describe(const SurfaceSet& surfaces, const Element& element) {
  return {element.kind, element.id, body_of(surfaces, element), element.simplex.corners};
}

// The pairs of bodies that are not looked at, made fast to ask for.
class IgnoredBodies {
 public:
  explicit IgnoredBodies(const std::vector<std::array<Index, 2>>& pairs);
  bool has(Index a, Index b) const;
  bool ignores_itself(Index body) const {
    return static_cast<size_t>(body) < ignores_itself_.size() &&
           ignores_itself_[static_cast<size_t>(body)] != 0;
  }

 private:
  std::vector<char> ignores_itself_;                    // by body
  std::vector<std::array<Index, 2>> different_bodies_;  // sorted, the smaller first
};

struct PairSearch {
  const SurfaceSet& surfaces;
  const CheckerOptions& options;
  std::vector<const Points*> instants;  // boxes go round all of them
  IntersectionReport report = {};
  IgnoredBodies ignored = IgnoredBodies(options.ignored_bodies);

  void find_points_not_finite();
  CheckerBoxes build_boxes(const std::vector<Element>& elements) const;

  // All pairs of a list; test(a, b) with a before b.
  template <class Test>
  void add_pairs_within(const std::vector<Element>& elements, const Test& test) {
    const std::vector<Element> exposed = list_exposed(elements);
    const CheckerBoxes boxes = build_boxes(exposed);
    add_pairs(exposed, boxes, exposed, boxes, 1, test);
  }

  // All pairs of one from each list.
  template <class Test>
  void add_pairs_between(const std::vector<Element>& as, const std::vector<Element>& bs, const Test& test) {
    const std::vector<Element> exposed_a = list_exposed(as), exposed_b = list_exposed(bs);
    add_pairs(exposed_a, build_boxes(exposed_a), exposed_b, build_boxes(exposed_b), 0, test);
  }

 private:
  bool may_overlap(const Element& a, const Element& b) const;
  bool is_left_out(const Element& a, const Element& b) const;

  // Those that can meet anything that counts: of bodies that ignore themselves, what lies in the box of
  // another body.
  std::vector<Element> list_exposed(const std::vector<Element>& elements) const;
  std::vector<CheckerBox> compute_body_boxes() const;

  // Partial results of a chunk of the list, and of everything in the end.
  struct Found {
    std::vector<std::pair<Index, Index>> ids;  // within as and bs
    std::vector<Verdict> verdicts;
    IntersectionReport counts;
  };
  static constexpr size_t kChunk = 128;

  template <class Test>
  void visit(const Test& test, const Element& a, const Element& b, std::pair<Index, Index> ids,
             Found& found) const {
    if (is_left_out(a, b)) return;
    found.counts.candidates += 1;
    const Verdict verdict = test(a, b);
    found.counts.duplicates += verdict.is_duplicate ? 1 : 0;
    if (!verdict.is_offending) return;
    (verdict.is_undecided ? found.counts.undecided : found.counts.intersections) += 1;
    if (found.ids.size() >= options.max_listed) return;
    found.ids.push_back(ids);
    found.verdicts.push_back(verdict);
  }

  // Boxes of elements that are not finite overlap nothing. is_within: 1 if both lists are the same; then
  // only pairs with a before b.
  template <class Test>
  void add_pairs(const std::vector<Element>& as, const CheckerBoxes& boxes_a, const std::vector<Element>& bs,
                 const CheckerBoxes& boxes_b, Index is_within, const Test& test) {
    const size_t chunks = (as.size() + kChunk - 1) / kChunk;
    std::vector<Found> found(chunks);
    const auto search_chunk = [&](size_t chunk) {
      const size_t end = std::min(as.size(), (chunk + 1) * kChunk);
      std::vector<Index> partners;
      for (size_t i = chunk * kChunk; i < end; ++i) {
        partners.clear();
        const Index a = static_cast<Index>(i);
        boxes_b.for_each_overlap(boxes_a.box(a), [&](Index b) {
          if (is_within == 0 || b > a) partners.push_back(b);
        });
        std::sort(partners.begin(), partners.end());
        for (const Index b : partners) visit(test, as[i], bs[static_cast<size_t>(b)], {a, b}, found[chunk]);
      }
    };
    exec::parallel_for("checker.pairs", chunks, search_chunk, 1);
    for (const Found& part : found) add_found(part, as, bs);
  }

  void add_found(const Found& part, const std::vector<Element>& as, const std::vector<Element>& bs);
};

}  // namespace marrow::checker
