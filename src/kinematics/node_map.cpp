#include "kinematics/node_map.h"

#include <algorithm>
#include <map>

#include "exec/parallel.h"
#include "kinematics/joined.h"

namespace marrow {
namespace {

bool is_identity_matrix(const ScalarMatrix& W) {
  if (W.rows() != W.columns || W.indices.size() != static_cast<size_t>(W.rows())) return false;
  for (Index i = 0; i < W.rows(); ++i) {
    if (W.offsets[i + 1] != i + 1 || W.indices[i] != i || W.values[i] != 1) return false;
  }
  return true;
}

// True if the point follows four consecutive nodes, as all points of affine and rigid bodies do. Any list
// that contains these nodes and ascends has them consecutively.
bool is_frame(const ScalarMatrix& W, Index point) {
  const Index first = W.offsets[point];
  return W.offsets[point + 1] == first + 4 && W.indices[first + 3] == W.indices[first] + 3;
}

}  // namespace

NodeMap::NodeMap(ScalarMatrix W) : W_(std::move(W)), is_identity_(is_identity_matrix(W_)) {
  if (is_identity_) return;
  std::map<std::vector<Index>, Index> known;
  for (Index i = 0; i < W_.rows(); ++i) {
    const std::vector<Index> nodes(W_.indices.begin() + W_.offsets[i],
                                   W_.indices.begin() + W_.offsets[i + 1]);
    groups_.push_back(known.emplace(nodes, static_cast<Index>(known.size())).first->second);
  }
}

NodeMap::NodeMap(const Kinematics& kinematics) : NodeMap(join_diagonal(kinematics, &Body::W)) {}

Vec3 NodeMap::compute_point(const VecX& n, Index point) const {
  if (is_identity_) return n.segment<3>(3 * point);
  Vec3 sum = Vec3::Zero();
  const Index first = W_.offsets[point];
  if (is_frame(W_, point)) {
    const double* x = n.data() + 3 * static_cast<size_t>(W_.indices[first]);
    const double* w = W_.values.data() + first;
    for (int k = 0; k < 4; ++k) {
      for (int c = 0; c < 3; ++c) sum[c] += w[k] * x[3 * k + c];
    }
    return sum;
  }
  for (Index k = first; k < W_.offsets[point + 1]; ++k) {
    sum += W_.values[k] * n.segment<3>(3 * W_.indices[k]);
  }
  return sum;
}

void NodeMap::compute_points(const VecX& n, Points& x) const {
  x.resize(static_cast<size_t>(point_count()));
  exec::parallel_for(
      "kinematics.points", x.size(), [&](size_t i) { x[i] = compute_point(n, static_cast<Index>(i)); }, 4096);
}

void NodeMap::compute_points(const VecX& n, std::span<const Index> points, Points& x) const {
  exec::parallel_for(
      "kinematics.points", points.size(), [&](size_t i) { x[points[i]] = compute_point(n, points[i]); },
      4096);
}

void NodeMap::append_nodes(std::span<const Index> points, std::vector<Index>& nodes) const {
  if (is_identity_) {
    nodes.insert(nodes.end(), points.begin(), points.end());
    return;
  }
  const auto start = static_cast<std::ptrdiff_t>(nodes.size());
  for (const Index point : points) {
    nodes.insert(nodes.end(), W_.indices.begin() + W_.offsets[point],
                 W_.indices.begin() + W_.offsets[point + 1]);
  }
  std::sort(nodes.begin() + start, nodes.end());
  nodes.erase(std::unique(nodes.begin() + start, nodes.end()), nodes.end());
}

template <class Value>
void NodeMap::pull_values(std::span<const Index> points, std::span<const Value> values,
                          std::span<const Index> nodes, Value zero, std::span<Value> out) const {
  if (is_identity_) {
    std::copy_n(values.begin(), points.size(), out.begin());
    return;
  }
  std::fill(out.begin(), out.end(), zero);
  for (size_t i = 0; i < points.size(); ++i) {
    size_t at = 0;  // both lists ascend
    if (is_frame(W_, points[i])) {
      const Index first = W_.offsets[points[i]];
      while (nodes[at] != W_.indices[first]) ++at;
      for (size_t k = 0; k < 4; ++k) out[at + k] += W_.values[static_cast<size_t>(first) + k] * values[i];
      continue;
    }
    for (Index k = W_.offsets[points[i]]; k < W_.offsets[points[i] + 1]; ++k) {
      while (nodes[at] != W_.indices[k]) ++at;
      out[at] += W_.values[k] * values[i];
    }
  }
}

void NodeMap::pull(std::span<const Index> points, std::span<const Vec3> values, std::span<const Index> nodes,
                   std::span<Vec3> out) const {
  pull_values<Vec3>(points, values, nodes, Vec3::Zero(), out);
}

void NodeMap::pull(std::span<const Index> points, std::span<const double> values,
                   std::span<const Index> nodes, std::span<double> out) const {
  pull_values<double>(points, values, nodes, 0.0, out);
}

}  // namespace marrow
