#include "mesh/mend.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <set>

#include "core/disjoint_sets.h"
#include "mesh/mesh_check.h"
#include "mesh/mesh_summary.h"
#include "mesh/point_merger.h"

namespace marrow {
namespace {

template <class Element>
bool names_twice(const Element& e) {
  for (size_t i = 0; i < e.size(); ++i) {
    for (size_t k = i + 1; k < e.size(); ++k) {
      if (e[i] == e[k]) return true;
    }
  }
  return false;
}

bool has_good_indices(const Mesh& mesh) {
  const auto count = static_cast<Index>(mesh.points.size());
  const auto is_good = [&](const auto& elements) {
    return std::all_of(elements.begin(), elements.end(), [&](const auto& e) {
      return std::all_of(e.begin(), e.end(), [&](Index v) { return v >= 0 && v < count; });
    });
  };
  const bool is_finite =
      std::all_of(mesh.points.begin(), mesh.points.end(), [](const Vec3& x) { return x.allFinite(); });
  return is_finite && is_good(mesh.edges) && is_good(mesh.triangles) && is_good(mesh.tets);
}

// A side of a triangle: ends, ascending, and whether it runs from the first to the second.
struct Side {
  Index low, high;
  Index triangle;
  bool is_forward;
};

std::vector<Side> list_sides(const std::vector<Triangle>& triangles) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (size_t i = 0; i < triangles.size(); ++i) {
    for (size_t k = 0; k < 3; ++k) {
      const Index a = triangles[i][k], b = triangles[i][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), static_cast<Index>(i), a < b});
    }
  }
  std::stable_sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::pair(a.low, a.high) < std::pair(b.low, b.high);
  });
  return sides;
}

// Calls visit(first, count) for the sides at each edge.
template <class Visit>
void for_each_edge(const std::vector<Side>& sides, const Visit& visit) {
  for (size_t i = 0; i < sides.size();) {
    size_t end = i + 1;
    while (end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high) ++end;
    visit(&sides[i], end - i);
    i = end;
  }
}

size_t count_open_edges(const std::vector<Triangle>& triangles) {
  size_t open = 0;
  for_each_edge(list_sides(triangles), [&](const Side*, size_t count) { open += count == 1 ? 1 : 0; });
  return open;
}

// The mesh while it is mended: triangles with the numbers that they had.
class Mender {
 public:
  Mender(Mesh& mesh, bool keeps_points) : mesh_(mesh), keeps_points_(keeps_points) {
    for (size_t i = 0; i < mesh.triangles.size(); ++i) numbers_.push_back(static_cast<Index>(i));
  }

  MeshFaults mend() {
    drop_collapsed();
    if (mesh_.tets.empty()) weld();
    drop_duplicates();
    if (mesh_.tets.empty()) {
      mend_flat();
      orient();
    }
    drop_unused();
    for (std::vector<Index>* list : {&faults_.duplicates, &faults_.degenerate, &faults_.flipped}) {
      std::sort(list->begin(), list->end());
    }
    return std::move(faults_);
  }

 private:
  // Removes the triangles for which is_bad holds, and lists them.
  template <class IsBad>
  void drop_triangles(const IsBad& is_bad, std::vector<Index>& dropped) {
    size_t kept = 0;
    for (size_t i = 0; i < mesh_.triangles.size(); ++i) {
      if (is_bad(i)) {
        dropped.push_back(numbers_[i]);
        continue;
      }
      mesh_.triangles[kept] = mesh_.triangles[i];
      numbers_[kept++] = numbers_[i];
    }
    mesh_.triangles.resize(kept);
    numbers_.resize(kept);
  }

  void drop_collapsed() {
    drop_triangles([&](size_t i) { return names_twice(mesh_.triangles[i]); }, faults_.degenerate);
  }

  // Equal points become one if that closes edges; other surfaces may touch themselves on purpose.
  void weld() {
    if (mesh_.triangles.empty() || !mesh_.radii.empty()) return;
    PointMerger merger(mesh_.points.size());
    std::vector<Index> first, number;  // of each different point; of each point
    for (size_t i = 0; i < mesh_.points.size(); ++i) {
      number.push_back(merger.add(mesh_.points[i]));
      if (static_cast<size_t>(number.back()) == first.size()) first.push_back(static_cast<Index>(i));
    }
    if (first.size() == mesh_.points.size()) return;
    std::vector<Triangle> welded = mesh_.triangles;
    for (Triangle& t : welded) {
      for (Index& v : t) v = first[static_cast<size_t>(number[static_cast<size_t>(v)])];
    }
    if (count_open_edges(welded) >= count_open_edges(mesh_.triangles)) return;
    mesh_.triangles = std::move(welded);
    for (Edge& e : mesh_.edges) {
      for (Index& v : e) v = first[static_cast<size_t>(number[static_cast<size_t>(v)])];
    }
    faults_.welded = mesh_.points.size() - first.size();
    std::vector<char> is_kept(mesh_.points.size(), 0);
    for (const Index i : first) is_kept[static_cast<size_t>(i)] = 1;
    keep_points(is_kept);
    drop_collapsed();
  }

  void drop_duplicates() {
    std::set<Triangle> known;
    drop_triangles(
        [&](size_t i) {
          Triangle sorted = mesh_.triangles[i];
          std::sort(sorted.begin(), sorted.end());
          return !known.insert(sorted).second;
        },
        faults_.duplicates);
  }

  bool is_flat(const Triangle& t) const {
    const auto at = [&](size_t k) -> const Vec3& { return mesh_.points[static_cast<size_t>(t[k])]; };
    const Vec3 u = at(1) - at(0), v = at(2) - at(0), w = at(2) - at(1);
    const double longest = std::max({u.norm(), v.norm(), w.norm()});
    return !(u.cross(v).norm() > kDegenerateVolume * longest * longest);
  }

  // A triangle whose middle corner lies on its longest side: the neighbour across that side is cut at the
  // corner, so that no gap opens. Without one neighbour there, the triangle just goes.
  void mend_flat() {
    std::vector<char> is_gone(mesh_.triangles.size(), 0);
    const size_t count = mesh_.triangles.size();
    for (size_t i = 0; i < count; ++i) {
      if (is_flat(mesh_.triangles[i])) cut_neighbour(i, is_gone);
    }
    is_gone.resize(mesh_.triangles.size(), 0);
    drop_triangles([&](size_t i) { return is_gone[i] != 0; }, faults_.degenerate);
  }

  void cut_neighbour(size_t flat, std::vector<char>& is_gone) {
    const Triangle t = mesh_.triangles[flat];
    size_t longest = 0;
    const auto length = [&](size_t k) {
      return (mesh_.points[static_cast<size_t>(t[(k + 1) % 3])] - mesh_.points[static_cast<size_t>(t[k])])
          .norm();
    };
    for (size_t k = 1; k < 3; ++k) {
      if (length(k) > length(longest)) longest = k;
    }
    const Index a = t[longest], b = t[(longest + 1) % 3], middle = t[(longest + 2) % 3];
    is_gone[flat] = 1;
    std::vector<size_t> at;
    for (size_t i = 0; i < is_gone.size(); ++i) {
      const Triangle& o = mesh_.triangles[i];
      const bool has_both = std::count(o.begin(), o.end(), a) > 0 && std::count(o.begin(), o.end(), b) > 0;
      if (i != flat && is_gone[i] == 0 && has_both) at.push_back(i);
    }
    if (at.size() != 1) return;
    Triangle one = mesh_.triangles[at[0]], other = one;
    if (std::count(one.begin(), one.end(), middle) > 0) return;
    std::replace(one.begin(), one.end(), b, middle);
    std::replace(other.begin(), other.end(), a, middle);
    mesh_.triangles[at[0]] = one;
    mesh_.triangles[flat] = other;  // takes the place of the flat one
    is_gone[flat] = 0;
    faults_.degenerate.push_back(numbers_[flat]);
  }

  // Makes the triangles of closed parts face outwards. A part that lies in another one is a cavity.
  void orient() {
    const std::vector<Side> sides = list_sides(mesh_.triangles);
    std::vector<std::vector<std::pair<Index, bool>>> next(mesh_.triangles.size());  // and whether they agree
    bool is_closed = !mesh_.triangles.empty();
    for_each_edge(sides, [&](const Side* side, size_t count) {
      is_closed = is_closed && count == 2;
      if (count != 2) return;
      const bool agrees = side[0].is_forward != side[1].is_forward;
      next[static_cast<size_t>(side[0].triangle)].emplace_back(side[1].triangle, agrees);
      next[static_cast<size_t>(side[1].triangle)].emplace_back(side[0].triangle, agrees);
    });
    if (!is_closed) return;
    std::vector<int> part(mesh_.triangles.size(), -1), sign(mesh_.triangles.size(), 1);
    int parts = 0;
    for (size_t seed = 0; seed < part.size(); ++seed) {
      if (part[seed] >= 0) continue;
      if (!spread(seed, parts++, next, part, sign)) return;  // a surface with one side only
    }
    turn(choose_sides(part, sign, parts), parts);
  }

  static bool spread(size_t seed, int number, const std::vector<std::vector<std::pair<Index, bool>>>& next,
                     std::vector<int>& part, std::vector<int>& sign) {
    std::vector<size_t> open = {seed};
    part[seed] = number;
    while (!open.empty()) {
      const size_t i = open.back();
      open.pop_back();
      for (const auto& [neighbour, agrees] : next[i]) {
        const auto k = static_cast<size_t>(neighbour);
        const int wanted = agrees ? sign[i] : -sign[i];
        if (part[k] >= 0) {
          if (sign[k] != wanted) return false;
          continue;
        }
        part[k] = number;
        sign[k] = wanted;
        open.push_back(k);
      }
    }
    return true;
  }

  // For each triangle whether to flip it. Parts that agree in themselves are flipped only if they are inside
  // out and in no other part, or if all are.
  std::vector<char> choose_sides(const std::vector<int>& part, std::vector<int> sign, int parts) const {
    std::vector<double> volumes(static_cast<size_t>(parts), 0);
    std::vector<char> is_mixed(static_cast<size_t>(parts), 0);
    std::vector<size_t> first(static_cast<size_t>(parts), part.size());
    for (size_t i = 0; i < part.size(); ++i) {
      const auto p = static_cast<size_t>(part[i]);
      first[p] = std::min(first[p], i);
      if (sign[i] != sign[first[p]]) is_mixed[p] = 1;
      volumes[p] += sign[i] * volume_of(mesh_.triangles[i], mesh_.triangles[first[p]][0]);
    }
    std::vector<char> flips(part.size(), 0);
    const double total = compute_enclosed_volume(mesh_.points, mesh_.triangles);
    for (size_t p = 0; p < volumes.size(); ++p) {
      // A sheet between two sides has no volume; it stays.
      if (volumes[p] == 0) continue;
      const bool is_inverted = volumes[p] < 0;
      const bool is_inner = parts > 1 && is_inside_others(part, static_cast<int>(p), first[p]);
      const bool turns =
          is_mixed[p] != 0 ? is_inverted != is_inner : is_inverted && !is_inner && (parts > 1 || total < 0);
      for (size_t i = 0; i < part.size(); ++i) {
        if (static_cast<size_t>(part[i]) == p) flips[i] = (sign[i] > 0) == turns ? 1 : 0;
      }
    }
    return flips;
  }

  double volume_of(const Triangle& t, Index origin) const {
    const Vec3& o = mesh_.points[static_cast<size_t>(origin)];
    const auto at = [&](size_t k) -> Vec3 { return mesh_.points[static_cast<size_t>(t[k])] - o; };
    return at(0).dot(at(1).cross(at(2))) / 6;
  }

  // By a ray from the part's first triangle through all others.
  bool is_inside_others(const std::vector<int>& part, int p, size_t triangle) const {
    const auto at = [&](const Triangle& t, size_t k) -> const Vec3& {
      return mesh_.points[static_cast<size_t>(t[k])];
    };
    const Triangle& own = mesh_.triangles[triangle];
    const Vec3 from = (at(own, 0) + at(own, 1) + at(own, 2)) / 3;
    const Vec3 along(0.4871, 0.6271, 0.6079);  // no axis, so that edges are missed
    int crossings = 0;
    for (size_t i = 0; i < part.size(); ++i) {
      if (part[i] == p) continue;
      const Triangle& t = mesh_.triangles[i];
      const Vec3 u = at(t, 1) - at(t, 0), v = at(t, 2) - at(t, 0), w = from - at(t, 0);
      const Vec3 side = along.cross(v);
      const double det = u.dot(side);
      if (det == 0) continue;
      const double a = w.dot(side) / det, b = along.dot(w.cross(u)) / det, s = v.dot(w.cross(u)) / det;
      if (a >= 0 && b >= 0 && a + b <= 1 && s > 0) ++crossings;
    }
    return crossings % 2 == 1;
  }

  void turn(const std::vector<char>& flips, int parts) {
    for (size_t i = 0; i < flips.size(); ++i) {
      if (flips[i] == 0) continue;
      std::swap(mesh_.triangles[i][1], mesh_.triangles[i][2]);
      faults_.flipped.push_back(numbers_[i]);
    }
    faults_.part_count = static_cast<size_t>(parts);
    faults_.is_inside_out = !faults_.flipped.empty() && faults_.flipped.size() == mesh_.triangles.size();
  }

  void drop_unused() {
    if (keeps_points_ || mesh_.tets.empty()) return;
    std::vector<char> is_used(mesh_.points.size(), 0);
    for (const Tet& t : mesh_.tets) {
      for (const Index v : t) is_used[static_cast<size_t>(v)] = 1;
    }
    // Triangles and edges outside the tets need their points; what to do with them is told by the checks.
    const auto mark = [&](const auto& elements) {
      for (const auto& e : elements) {
        for (const Index v : e) is_used[static_cast<size_t>(v)] = 1;
      }
    };
    mark(mesh_.triangles);
    mark(mesh_.edges);
    for (size_t i = 0; i < is_used.size(); ++i) {
      if (is_used[i] == 0) faults_.unused.push_back(static_cast<Index>(i));
    }
    if (!faults_.unused.empty()) keep_points(is_used);
  }

  void keep_points(const std::vector<char>& is_kept) {
    std::vector<Index> number(mesh_.points.size(), kNone);
    size_t kept = 0;
    for (size_t i = 0; i < mesh_.points.size(); ++i) {
      if (is_kept[i] == 0) continue;
      number[i] = static_cast<Index>(kept);
      if (!mesh_.radii.empty()) mesh_.radii[kept] = mesh_.radii[i];
      mesh_.points[kept++] = mesh_.points[i];
    }
    mesh_.points.resize(kept);
    if (!mesh_.radii.empty()) mesh_.radii.resize(kept);
    const auto renumber = [&](auto& elements) {
      for (auto& e : elements) {
        for (Index& v : e) v = number[static_cast<size_t>(v)];
      }
    };
    renumber(mesh_.edges);
    renumber(mesh_.triangles);
    renumber(mesh_.tets);
  }

  Mesh& mesh_;
  bool keeps_points_;
  std::vector<Index> numbers_;
  MeshFaults faults_;
};

// "triangle 270 (line 512)", "3 triangles (4, 7, 9; the first on line 12)".
std::string name_triangles(const std::vector<Index>& list, int line) {
  if (list.size() == 1) {
    return line > 0 ? fmt::format("triangle {} (line {})", list[0], line)
                    : fmt::format("triangle {}", list[0]);
  }
  std::string some;
  for (size_t i = 0; i < std::min<size_t>(5, list.size()); ++i) {
    some += fmt::format("{}{}", i > 0 ? ", " : "", list[i]);
  }
  if (list.size() > 5) some += ", …";
  const std::string first = line > 0 ? fmt::format("; the first on line {}", line) : std::string();
  return fmt::format("{} triangles ({}{})", list.size(), some, first);
}

}  // namespace

MeshFaults mend_mesh(Mesh& mesh, bool keeps_points) {
  if (!has_good_indices(mesh)) return {};
  return Mender(mesh, keeps_points).mend();
}

std::vector<FaultText> describe_faults(const MeshFaults& faults, const std::function<int(Index)>& line_of) {
  std::vector<FaultText> texts;
  const auto add = [&](const std::vector<Index>& list, const char* one, const char* many, const char* cure) {
    if (list.empty()) return;
    const int line = line_of ? line_of(list[0]) : 0;
    texts.push_back({name_triangles(list, line) + (list.size() == 1 ? one : many), cure, line});
  };
  add(faults.duplicates, " has the same points as an earlier one", " have the same points as earlier ones",
      "removed");
  add(faults.degenerate, " has no area", " have no area", "removed, with no gap left");
  if (faults.is_inside_out) {
    texts.push_back({"the surface is inside out", "all triangles reversed", 0});
  } else {
    add(faults.flipped, " faces the wrong way", " face the wrong way", "reversed");
  }
  if (faults.welded > 0) {
    const bool is_one = faults.welded == 1;
    texts.push_back({fmt::format("{} {} at the place of another, at open edges", faults.welded,
                                 is_one ? "point lies" : "points lie"),
                     "merged; points have new numbers", 0});
  }
  if (!faults.unused.empty()) {
    const bool is_one = faults.unused.size() == 1;
    texts.push_back({fmt::format("{} {} in no tet, the first {}", faults.unused.size(),
                                 is_one ? "point is" : "points are", faults.unused[0]),
                     "left out; points have new numbers", 0});
  }
  return texts;
}

}  // namespace marrow
