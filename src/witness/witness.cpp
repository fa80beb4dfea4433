#include "witness/witness.h"

#include <algorithm>
#include <set>

#include "mesh/surface.h"

namespace marrow {
namespace {

Triangle sorted(Triangle t) {
  std::sort(t.begin(), t.end());
  return t;
}

}  // namespace

WitnessCounts& WitnessCounts::operator+=(const WitnessCounts& other) {
  const auto add = [](const std::optional<std::int64_t>& more, std::optional<std::int64_t>& sum) {
    if (more) sum = sum.value_or(0) + *more;
  };
  add(other.intersections, intersections);
  add(other.inversions, inversions);
  add(other.not_finite, not_finite);
  return *this;
}

WitnessCounts WitnessReport::counts() const {
  return {surfaces.intersections + surfaces.undecided, tets.count(),
          static_cast<std::int64_t>(surfaces.not_finite.size())};
}

std::vector<Triangle> unite_surfaces(const std::vector<Tet>& tets, const std::vector<Triangle>& listed) {
  std::vector<Triangle> all = extract_surface(tets);
  std::set<Triangle> known;
  for (const Triangle& t : all) known.insert(sorted(t));
  for (const Triangle& t : listed) {
    if (tets.empty() || known.count(sorted(t)) == 0) all.push_back(t);
  }
  return all;
}

WitnessReport Witness::check() const { return {check_surfaces(surfaces(), exceptions()), check_tets()}; }

WitnessCounts Witness::count() const {
  if (bodies_.is_kept_apart) return check().counts();
  return {std::nullopt, check_tets().count(), std::nullopt};
}

InversionReport Witness::check_tets() const {
  if (!bodies_.plane_triangles.empty()) {
    return check_plane_inversions(surfaces().points, bodies_.plane_triangles);
  }
  InversionReport report = check_inversions(surfaces().points, tets());
  const auto has_node = [&](const CurvedTetList& list) {
    return std::all_of(list.nodes.begin(), list.nodes.end(),
                       [&](Index node) { return static_cast<size_t>(node) < nodes_.size(); });
  };
  if (std::all_of(bodies_.curved.begin(), bodies_.curved.end(), has_node)) {
    report.curved = find_curved_inversions(nodes_, bodies_.curved);
  } else {
    report.curved.push_back({.tet = 0, .is_undecided = true});
  }
  return report;
}

}  // namespace marrow
