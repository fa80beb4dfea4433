#include "linalg/iterative/aggregation.h"

#include <Eigen/LU>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <span>

#include "exec/parallel.h"

namespace marrow {
namespace {

// A column of B of which less than this fraction is left after Gram–Schmidt depends on those before it: it
// moves nothing by itself. Less: columns made of rounding. [derived: far above 2⁻⁵³, and a group that is
// this flat gains nothing by turning about its line]
constexpr double kDependent = 1e-5;

// The strong couplings of each group: those of group g start at A.offsets[first row of g].
struct StrongCouplings {
  std::vector<Index> begin, end;
  std::vector<Index> groups;
};

std::vector<Index> list_group_of_row(const NodeGroups& groups) {
  std::vector<Index> group_of_row(static_cast<size_t>(groups.first.back()));
  for (size_t g = 0; g < groups.count(); ++g) {
    for (Index i = groups.first[g]; i < groups.first[g + 1]; ++i) group_of_row[i] = static_cast<Index>(g);
  }
  return group_of_row;
}

// The stiffness of a group in its softest directions: the harmonic mean of its diagonal's eigenvalues, so
// that a contact that holds it in one direction does not make its couplings look weak.
double compute_softness(const Mat6& inverse, Index size) {
  const Index n = 3 * size;
  return std::sqrt(static_cast<double>(n)) * static_cast<double>(n) / inverse.topLeftCorner(n, n).trace();
}

StrongCouplings find_couplings(const BlockRows& A, const NodeGroups& groups,
                               const std::vector<Mat6>& inverses, double strong) {
  const std::vector<Index> group_of_row = list_group_of_row(groups);
  StrongCouplings couplings;
  couplings.groups.resize(A.indices.size());
  couplings.begin.resize(groups.count());
  couplings.end.resize(groups.count());
  std::vector<double> stiffness(groups.count());
  for (size_t g = 0; g < groups.count(); ++g) {
    stiffness[g] = compute_softness(inverses[g], groups.size(g));
  }
  exec::parallel_for("multigrid.couplings", groups.count(), [&](size_t g) {
    thread_local std::vector<std::pair<Index, double>> parts;
    parts.clear();
    couplings.begin[g] = couplings.end[g] = A.offsets[groups.first[g]];
    if (groups.bodies[g] == kNone) return;
    for (Index k = A.offsets[groups.first[g]]; k < A.offsets[groups.first[g + 1]]; ++k) {
      const Index other = group_of_row[A.indices[k]];
      if (other == static_cast<Index>(g) || groups.bodies[other] != groups.bodies[g]) continue;
      parts.emplace_back(other, A.blocks[k].squaredNorm());
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t k = 0; k < parts.size();) {
      const Index other = parts[k].first;
      double squared = 0;
      for (; k < parts.size() && parts[k].first == other; ++k) squared += parts[k].second;
      if (squared > strong * strong * stiffness[g] * stiffness[other]) {
        couplings.groups[couplings.end[g]++] = other;
      }
    }
  });
  return couplings;
}

// Rigid motions of a group about another centre than its own.
Eigen::Matrix<double, 6, 6> compute_motions(const NodeGroups& groups, Index group, const Vec3& center) {
  Mat6 motions = Mat6::Zero();
  if (groups.motions.empty()) {
    motions.topLeftCorner<3, 3>().setIdentity();
  } else {
    motions = groups.motions[group];
  }
  if (groups.centers.empty()) return motions;
  const Vec3 arm = groups.centers[group] - center;
  for (int k = 0; k < 3; ++k) {
    motions.col(3 + k) += motions.leftCols<3>() * Vec3::Unit(k).cross(arm);
  }
  return motions;
}

// B = Q R by Gram–Schmidt, twice for the sake of rounding. B becomes Q. Returns the columns that depend on
// earlier ones, one bit each; they are 0.
std::uint8_t orthonormalize(MatX& B, Mat6& R) {
  R.setZero();
  std::uint8_t inert = 0;
  const double longest_turn = B.cols() > 3 ? B.rightCols(3).colwise().norm().maxCoeff() : 0;
  for (Index j = 0; j < B.cols(); ++j) {
    for (int round = 0; round < 2; ++round) {
      for (Index i = 0; i < j; ++i) {
        const double share = B.col(i).dot(B.col(j));
        B.col(j) -= share * B.col(i);
        R(i, j) += share;
      }
    }
    const double length = B.col(j).norm();
    if (j >= 3 && !(length > kDependent * longest_turn)) {
      B.col(j).setZero();
      inert = static_cast<std::uint8_t>(inert | (1U << j));
      continue;
    }
    R(j, j) = length;
    B.col(j) /= length;
  }
  return inert;
}

// The groups of each aggregate, in order.
struct Members {
  std::vector<Index> offsets;
  std::vector<Index> groups;
};

Members list_members(const Aggregates& aggregates) {
  Members members;
  members.offsets.assign(static_cast<size_t>(aggregates.count) + 1, 0);
  for (const Index a : aggregates.member) {
    if (a != kNone) ++members.offsets[a + 1];
  }
  std::partial_sum(members.offsets.begin(), members.offsets.end(), members.offsets.begin());
  members.groups.resize(static_cast<size_t>(members.offsets.back()));
  std::vector<Index> next(members.offsets.begin(), members.offsets.end() - 1);
  for (size_t g = 0; g < aggregates.member.size(); ++g) {
    if (aggregates.member[g] != kNone) members.groups[next[aggregates.member[g]]++] = static_cast<Index>(g);
  }
  return members;
}

// Writes the rows of Q of one aggregate.
void fill_aggregate(const NodeGroups& groups, const Members& members, Index a, Coarsening& result) {
  NodeGroups& coarse = result.groups;
  const Index begin = members.offsets[a], end = members.offsets[a + 1];
  const Index size = coarse.size(static_cast<size_t>(a));
  Index rows = 0;
  for (Index m = begin; m < end; ++m) rows += groups.size(static_cast<size_t>(members.groups[m]));
  MatX B(3 * rows, 3 * size);
  Index row = 0;
  const Vec3 center = coarse.centers.empty() ? Vec3(Vec3::Zero()) : coarse.centers[a];
  for (Index m = begin; m < end; ++m) {
    const Index g = members.groups[m], height = 3 * groups.size(static_cast<size_t>(g));
    B.middleRows(row, height) = compute_motions(groups, g, center).topLeftCorner(height, 3 * size);
    row += height;
  }
  coarse.inert[a] = orthonormalize(B, coarse.motions[a]);
  row = 0;
  for (Index m = begin; m < end; ++m) {
    const Index g = members.groups[m];
    for (Index i = groups.first[g]; i < groups.first[g + 1]; ++i, row += 3) {
      for (Index c = 0; c < size; ++c) {
        result.Q.blocks[result.Q.offsets[i] + c] = B.block<3, 3>(row, 3 * c);
      }
    }
  }
}

// What is known of the aggregates before their motions are.
NodeGroups describe_aggregates(const NodeGroups& groups, const Members& members) {
  NodeGroups coarse;
  const size_t count = members.offsets.size() - 1;
  coarse.motions.resize(count);
  coarse.inert.assign(count, 0);
  for (size_t a = 0; a < count; ++a) {
    const Index begin = members.offsets[a], end = members.offsets[a + 1];
    const Index head = members.groups[begin];
    const bool is_alone = groups.bodies[head] == kNone;
    Vec3 center = Vec3::Zero();
    bool is_stiff = false;
    for (Index m = begin; m < end; ++m) {
      if (!groups.centers.empty()) center += groups.centers[members.groups[m]];
      is_stiff = is_stiff || groups.is_stiff[members.groups[m]];
    }
    coarse.bodies.push_back(groups.bodies[head]);
    coarse.is_stiff.push_back(is_stiff);
    if (!groups.centers.empty()) coarse.centers.push_back(center / static_cast<double>(end - begin));
    const Index size = is_alone ? groups.size(static_cast<size_t>(head)) : groups.centers.empty() ? 1 : 2;
    coarse.first.push_back(coarse.first.back() + size);
  }
  return coarse;
}

}  // namespace

NodeGroups make_groups(const SystemNodes& nodes, Index node_count) {
  NodeGroups groups;
  const auto count = static_cast<size_t>(node_count);
  groups.first.resize(count + 1);
  std::iota(groups.first.begin(), groups.first.end(), 0);
  groups.bodies = nodes.bodies.empty() ? std::vector<Index>(count, 0) : nodes.bodies;
  groups.is_stiff = nodes.is_stiff.empty() ? std::vector<char>(count, 0) : nodes.is_stiff;
  groups.inert.assign(count, 0);
  for (size_t i = 0; i < count; ++i) {
    if (groups.bodies[i] == kNone) groups.is_stiff[i] = 1;
  }
  if (nodes.positions.size() == 0) return groups;
  for (Index i = 0; i < node_count; ++i) groups.centers.push_back(nodes.positions.segment<3>(3 * i));
  return groups;
}

std::vector<Mat6> invert_diagonals(const BlockRows& A, const NodeGroups& groups) {
  std::vector<Mat6> inverses(groups.count());
  std::atomic<bool> is_singular = false;
  exec::parallel_for("multigrid.diagonals", groups.count(), [&](size_t g) {
    Mat6 diagonal = Mat6::Identity();
    const Index first = groups.first[g], size = groups.size(g);
    for (Index i = first; i < first + size; ++i) {
      for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
        const Index j = A.indices[k];
        if (j >= first && j < first + size)
          diagonal.block<3, 3>(3 * (i - first), 3 * (j - first)) = A.blocks[k];
      }
    }
    if (size == 1) {
      inverses[g].setZero();
      inverses[g].topLeftCorner<3, 3>() = Mat3(diagonal.topLeftCorner<3, 3>()).inverse();
    } else {
      inverses[g] = diagonal.inverse();
    }
    if (!inverses[g].allFinite() || !(inverses[g].diagonal().head(3 * size).minCoeff() > 0))
      is_singular = true;
  });
  if (is_singular) inverses.clear();
  return inverses;
}

Aggregates aggregate(const BlockRows& A, const NodeGroups& groups, const std::vector<Mat6>& inverses,
                     double strong) {
  const StrongCouplings couplings = find_couplings(A, groups, inverses, strong);
  Aggregates result;
  result.member.assign(groups.count(), kNone);
  const auto others = [&](size_t g) {
    return std::span(couplings.groups)
        .subspan(static_cast<size_t>(couplings.begin[g]),
                 static_cast<size_t>(couplings.end[g] - couplings.begin[g]));
  };
  // Whole neighbourhoods first.
  for (size_t g = 0; g < groups.count(); ++g) {
    const bool is_free = result.member[g] == kNone && (groups.bodies[g] == kNone || !others(g).empty()) &&
                         std::ranges::all_of(others(g), [&](Index h) { return result.member[h] == kNone; });
    if (!is_free) continue;
    result.member[g] = result.count;
    for (const Index h : others(g)) result.member[h] = result.count;
    ++result.count;
  }
  // What is left joins a neighbour.
  const std::vector<Index> first = result.member;
  for (size_t g = 0; g < groups.count(); ++g) {
    if (result.member[g] != kNone) continue;
    for (const Index h : others(g)) {
      if (first[h] == kNone) continue;
      result.member[g] = first[h];
      break;
    }
  }
  return result;
}

Coarsening coarsen(const NodeGroups& groups, const Aggregates& aggregates) {
  const Members members = list_members(aggregates);
  Coarsening result;
  result.groups = describe_aggregates(groups, members);
  BlockRows& Q = result.Q;
  Q.columns = result.groups.first.back();
  Q.offsets.assign(static_cast<size_t>(groups.first.back()) + 1, 0);
  for (size_t g = 0; g < groups.count(); ++g) {
    const Index a = aggregates.member[g];
    // A group that stays alone is its own aggregate: each row has one block.
    const bool is_alone = groups.bodies[g] == kNone;
    for (Index i = groups.first[g]; i < groups.first[g + 1]; ++i) {
      if (a == kNone) continue;
      const Index from = is_alone ? result.groups.first[a] + i - groups.first[g] : result.groups.first[a];
      const Index to = is_alone ? from + 1 : result.groups.first[a + 1];
      for (Index c = from; c < to; ++c) Q.indices.push_back(c);
      Q.offsets[i + 1] = to - from;
    }
  }
  std::partial_sum(Q.offsets.begin(), Q.offsets.end(), Q.offsets.begin());
  Q.blocks.assign(Q.indices.size(), Mat3::Identity());
  exec::parallel_for(
      "multigrid.motions", static_cast<size_t>(aggregates.count),
      [&](size_t a) {
        const Index head = members.groups[members.offsets[a]];
        if (groups.bodies[head] != kNone) fill_aggregate(groups, members, static_cast<Index>(a), result);
      },
      16);
  return result;
}

}  // namespace marrow
