#include "geometry/transfer/transfer.h"

#include <algorithm>
#include <numeric>

#include "core/macros.h"
#include "exec/parallel.h"
#include "geometry/bvh/bvh.h"
#include "geometry/transfer/mass_matrix.h"
#include "geometry/transfer/nearest_simplex.h"
#include "geometry/transfer/overlay.h"
#include "mesh/buckets.h"

namespace marrow {
namespace {

// A simplex counts as covered when so little of it is not; rounding leaves about 1e-15.
constexpr double kCovered = 1e-12;

// Overlaps of one simplex are some dozens of small products: few are worth a task.
constexpr size_t kGrain = 16;

size_t at(Index i) { return static_cast<size_t>(i); }
Index row(size_t i) { return static_cast<Index>(i); }

template <int D>
struct Side {
  Points points;  // about the common centre
  std::vector<SimplexCorners> simplices;
  std::vector<PlacedSimplex<D>> placed;
  std::vector<Aabb> boxes;
  std::vector<Index> ids, own_points;
  Bvh tree;

  VecX volumes() const {
    VecX list(row(placed.size()));
    for (size_t s = 0; s < placed.size(); ++s) list[row(s)] = std::abs(placed[s].volume);
    return list;
  }
};

template <int D>
Side<D> make_side(const Mesh& mesh, const Vec3& centre, Index first_id) {
  Side<D> side;
  for (const Vec3& point : mesh.points) side.points.push_back(point - centre);
  if constexpr (D == 3) {
    side.simplices = mesh.tets;
  } else {
    for (const Triangle& t : mesh.triangles) side.simplices.push_back({t[0], t[1], t[2], t[2]});
  }
  for (const SimplexCorners& simplex : side.simplices) {
    std::array<Vec3, D + 1> corners;
    for (size_t c = 0; c <= D; ++c) corners[c] = side.points[at(simplex[c])];
    side.placed.push_back(place_simplex<D>(corners));
    Aabb box = box_of_ball(corners[0], 0);
    for (const Vec3& corner : corners) box = merge(box, box_of_ball(corner, 0));
    side.boxes.push_back(box);
  }
  side.ids.resize(side.boxes.size());
  std::iota(side.ids.begin(), side.ids.end(), 0);
  side.own_points.resize(side.boxes.size());
  std::iota(side.own_points.begin(), side.own_points.end(), first_id);
  return side;
}

// The old simplices whose boxes meet the box of each new one, in order.
template <int D>
Buckets<Index> find_candidates(Side<D>& old, Side<D>& fresh) {
  old.tree.build({old.ids, 1, old.own_points, {}}, old.boxes);
  fresh.tree.build({fresh.ids, 1, fresh.own_points, {}}, fresh.boxes);
  std::vector<IndexPair> pairs;
  BvhQuery query;
  query.find_cross_pairs(fresh.tree, old.tree, {}, pairs);
  std::sort(pairs.begin(), pairs.end());
  return fill_buckets<Index>(fresh.boxes.size(), [&](const auto& visit) {
    for (const IndexPair& pair : pairs) visit(pair[0], pair[1]);
  });
}

struct Counts {
  size_t pairs = 0, pieces = 0;
};

// What the common refinement gives to each new simplex.
template <int D>
struct Sums {
  MatX nodal;                        // a row per corner of each new simplex: ∫ φ u
  MatX cells;                        // a row per new simplex: ∫ c over what is covered
  VecX covered;                      // volumes
  std::vector<CornerMatrix<D>> own;  // ∫ φᵢ φⱼ over what is covered
  std::vector<Counts> counts;
};

template <int D>
Sums<D> integrate(const Side<D>& old, const Side<D>& fresh, const Buckets<Index>& candidates,
                  const TransferFields& fields) {
  const size_t count = fresh.simplices.size();
  Sums<D> sums{MatX::Zero(row(count * (D + 1)), fields.nodal.cols()),
               MatX::Zero(row(count), fields.cells.cols()), VecX::Zero(row(count)),
               std::vector<CornerMatrix<D>>(count, CornerMatrix<D>::Zero()), std::vector<Counts>(count)};
  exec::parallel_for(
      "transfer.overlay", count,
      [&](size_t t) {
        for (const Index s : candidates.of(t)) {
          const Overlap<D> overlap = compute_overlap<D>(fresh.placed[t], old.placed[at(s)]);
          if (overlap.piece_count == 0) continue;
          sums.counts[t].pairs += 1;
          sums.counts[t].pieces += static_cast<size_t>(overlap.piece_count);
          sums.covered[row(t)] += overlap.volume;
          sums.own[t] += overlap.own;
          sums.cells.row(row(t)) += overlap.volume * fields.cells.row(s);
          for (Index j = 0; j <= D; ++j) {
            const Index node = old.simplices[at(s)][at(j)];
            for (Index i = 0; i <= D; ++i) {
              sums.nodal.row(row(t * (D + 1)) + i) += overlap.products(i, j) * fields.nodal.row(node);
            }
          }
        }
      },
      kGrain);
  return sums;
}

// The old fields at the closest points of the old mesh, for the corners and centres of simplices that it does
// not cover.
template <int D>
struct Extension {
  std::vector<NearestPoint> of_point;    // by point of the new mesh; simplex kNone where not asked for
  std::vector<NearestPoint> of_simplex;  // by simplex, at its centre
  Index outside = 0;                     // points asked for that are not in the old mesh
};

template <int D>
Extension<D> extend(const Side<D>& old, const Side<D>& fresh, const std::vector<size_t>& open) {
  Extension<D> extension;
  extension.of_point.resize(fresh.points.size());
  extension.of_simplex.resize(fresh.simplices.size());
  std::vector<bool> is_asked(fresh.points.size(), false);
  std::vector<size_t> asked;
  Points queries;
  for (const size_t t : open) {
    for (size_t c = 0; c <= D; ++c) {
      const size_t p = at(fresh.simplices[t][c]);
      if (is_asked[p]) continue;
      is_asked[p] = true;
      asked.push_back(p);
      queries.push_back(fresh.points[p]);
    }
  }
  for (const size_t t : open) {
    Vec3 centre = Vec3::Zero();
    for (size_t c = 0; c <= D; ++c) centre += fresh.points[at(fresh.simplices[t][c])] / (D + 1);
    queries.push_back(centre);
  }
  const std::vector<NearestPoint> found = find_nearest(old.points, old.simplices, D + 1, queries);
  for (size_t i = 0; i < asked.size(); ++i) {
    extension.of_point[asked[i]] = found[i];
    extension.outside += (found[i].weights.template head<D + 1>().array() <= 0).any();
  }
  for (size_t i = 0; i < open.size(); ++i) extension.of_simplex[open[i]] = found[asked.size() + i];
  return extension;
}

// Covered simplices: what rounding left over is taken out, so that ∫ φ 1 is exact. The others: over the rest
// of the simplex, the linear field with the extended values at its corners; ∫ φᵢ φⱼ over the rest is what ∫
// over the whole has more than that over what is covered.
template <int D>
Index complete(const Side<D>& old, const Side<D>& fresh, const TransferFields& fields, Sums<D>& sums) {
  const VecX volumes = fresh.volumes();
  std::vector<size_t> open;
  for (size_t t = 0; t < fresh.simplices.size(); ++t) {
    const double share = sums.covered[row(t)] / volumes[row(t)];
    if (share < 1 - kCovered) {
      open.push_back(t);
      continue;
    }
    for (Index c = 0; c <= D; ++c) sums.nodal.row(row(t * (D + 1)) + c) /= share;
    sums.cells.row(row(t)) /= share;
  }
  if (open.empty()) return 0;
  const Extension<D> extension = extend<D>(old, fresh, open);
  const auto value_at = [&](const NearestPoint& place) {
    Eigen::RowVectorXd value = Eigen::RowVectorXd::Zero(fields.nodal.cols());
    for (Index c = 0; c <= D; ++c) {
      value += place.weights[c] * fields.nodal.row(old.simplices[at(place.simplex)][at(c)]);
    }
    return value;
  };
  for (const size_t t : open) {
    const double rest = volumes[row(t)] - sums.covered[row(t)];
    MatX corners(D + 1, fields.nodal.cols());
    for (Index c = 0; c <= D; ++c) {
      corners.row(c) = value_at(extension.of_point[at(fresh.simplices[t][at(c)])]);
    }
    const CornerMatrix<D> whole =
        volumes[row(t)] / ((D + 1) * (D + 2)) * (CornerMatrix<D>::Ones() + CornerMatrix<D>::Identity());
    sums.nodal.middleRows(row(t * (D + 1)), D + 1) += (whole - sums.own[t]) * corners;
    sums.cells.row(row(t)) += rest * fields.cells.row(extension.of_simplex[t].simplex);
  }
  return extension.outside;
}

template <int D>
VecX integrals(const Side<D>& side, const TransferFields& fields) {
  VecX total = VecX::Zero(fields.nodal.cols() + fields.cells.cols());
  for (size_t s = 0; s < side.simplices.size(); ++s) {
    const double volume = std::abs(side.placed[s].volume);
    for (size_t c = 0; c <= D; ++c) {
      total.head(fields.nodal.cols()) +=
          volume / (D + 1) * fields.nodal.row(side.simplices[s][c]).transpose();
    }
    total.tail(fields.cells.cols()) += volume * fields.cells.row(row(s)).transpose();
  }
  return total;
}

Vec3 box_centre(const Points& points) {
  Vec3 lo = points.front(), hi = points.front();
  for (const Vec3& point : points) {
    lo = lo.cwiseMin(point);
    hi = hi.cwiseMax(point);
  }
  return (lo + hi) / 2;
}

template <int D>
Transferred transfer(const Mesh& from, const Mesh& to, const TransferFields& fields) {
  const Vec3 centre = box_centre(to.points);
  Side<D> old = make_side<D>(from, centre, 0);
  Side<D> fresh = make_side<D>(to, centre, row(old.simplices.size()));
  Sums<D> sums = integrate<D>(old, fresh, find_candidates<D>(old, fresh), fields);

  Transferred done;
  TransferReport& report = done.report;
  report.dimension = D;
  report.old_volume = old.volumes().sum();
  report.new_volume = fresh.volumes().sum();
  report.overlap = sums.covered.sum();
  for (const Counts& counts : sums.counts) {
    report.pair_count += counts.pairs;
    report.piece_count += counts.pieces;
  }
  report.extended_points = complete<D>(old, fresh, fields, sums);
  const MassMatrix mass(D, fresh.points.size(), fresh.simplices, fresh.volumes());
  MassMatrix::Solution solution = mass.solve(mass.gather(sums.nodal));
  done.fields.nodal = std::move(solution.values);
  report.iterations = solution.iterations;
  done.fields.cells = fresh.volumes().cwiseInverse().asDiagonal() * sums.cells;
  report.old_integrals = integrals<D>(old, fields);
  report.new_integrals = integrals<D>(fresh, done.fields);
  return done;
}

}  // namespace

Transferred transfer_fields(const Mesh& from, const Mesh& to, const TransferFields& fields) {
  MARROW_ASSERT(from.tets.empty() == to.tets.empty());
  return from.tets.empty() ? transfer<2>(from, to, fields) : transfer<3>(from, to, fields);
}

}  // namespace marrow
