#include "geometry/certificates/certificates.h"

#include <cmath>
#include <limits>

#include "exec/parallel.h"

namespace marrow {
namespace {

constexpr double kMargin = 1e-6;      // relative
constexpr double kLeastLimit = 1e-4;  // below it a certificate is of no use, and rounding near

constexpr int kPairLeaves =
    2;  // pairs of fewer triangles than so many leaves are tested as fast as certified

double weight_of(const PatchHinge& hinge) {
  double sum = 0;
  for (const double weight : hinge.weights) sum += std::abs(weight);
  return sum * sum;
}

template <class T>
size_t bytes_of(const std::vector<T>& list) {
  return list.size() * sizeof(T);
}

}  // namespace

size_t Certificates::byte_count() const {
  return data_byte_count() + bytes_of(tree.ids) + bytes_of(tree.triangles) + bytes_of(tree.vertices) +
         bytes_of(tree.areas) + 2 * bytes_of(tree.rest) + bytes_of(tree.centroids) + bytes_of(tree.nodes) +
         bytes_of(tree.sibling_pairs) + bytes_of(tree.pairs) + tree.nodes.size() * sizeof(PatchSums);
}

size_t Certificates::data_byte_count() const {
  size_t limits = 0;
  for (const float limit : node_limits) limits += limit > 0 ? 1 : 0;
  for (const float limit : pair_limits) limits += limit > 0 ? 1 : 0;
  return bytes_of(tree.hinge_starts) + bytes_of(tree.hinges) + bytes_of(tree.pair_hinges) +
         bytes_of(node_limits) + bytes_of(pair_limits) + bytes_of(planes) + limits * sizeof(PatchShape);
}

bool is_certifiable(const PatchTree& tree, const CertificateOptions& options, Index node) {
  const PatchNode& n = tree.node(node);
  return n.is_connected && n.count() > 1 && n.count() <= options.max_triangles;
}

bool is_certifiable(const PatchTree& tree, const CertificateOptions& options, const PatchPair& pair) {
  const PatchNode& a = tree.node(pair.a);
  const PatchNode& b = tree.node(pair.b);
  // Regions that keep a distance are single patches.
  if (options.pairs == CertifiedPairs::Simplices) return false;
  return !pair.are_siblings && pair.last_hinge > pair.first_hinge && a.is_connected && b.is_connected &&
         a.count() + b.count() <= options.max_triangles &&
         a.count() + b.count() > kPairLeaves * options.leaf_size;
}

float make_limit(double energy, double rest_error) {
  const double limit = std::sqrt(energy) * (1 - kMargin) - rest_error;
  if (!(limit > kLeastLimit)) return 0;
  if (limit > std::numeric_limits<float>::max()) return std::numeric_limits<float>::max();
  const auto rounded = static_cast<float>(limit);
  return static_cast<double>(rounded) > limit ? std::nextafter(rounded, 0.0F) : rounded;
}

RestShapes::RestShapes(const PatchTree& tree, const CertificateOptions& options)
    : tree_(tree), options_(options), rest_(tree, options.max_triangles) {
  rest_.update(tree.rest);
}

// Hinges of a node and of all below it are consecutive.
PatchMeasures RestShapes::measure(Index node) const {
  PatchMeasures measures;
  const PatchNode& n = tree_.node(node);
  for (Index i = n.first; i < n.last; ++i) measures.mass += tree_.areas[static_cast<size_t>(i)];
  for (const PatchHinge& hinge : tree_.hinges_below(node)) measures.weights += weight_of(hinge);
  return measures;
}

RestShape RestShapes::make(const PatchSums& sums, const PatchMeasures& measures) const {
  RestShape rest;
  rest.shape = build_patch_shape(tree_, sums, measures, options_.energy);
  rest.error = bound_rest_error(tree_, rest.shape);
  return rest;
}

RestShape RestShapes::of_node(Index node) const { return make(rest_.of(node), measure(node)); }

RestShape RestShapes::of_pair(const PatchPair& pair) const {
  PatchMeasures measures = measure(pair.a);
  const PatchMeasures other = measure(pair.b);
  measures.mass += other.mass;
  measures.weights += other.weights;
  for (const Index h : tree_.hinges_of(pair))
    measures.weights += weight_of(tree_.hinges[static_cast<size_t>(h)]);
  return make(rest_.of(pair, tree_.rest), measures);
}

CertificateShapes::CertificateShapes(const Certificates& certificates) {
  const PatchTree& tree = certificates.tree;
  const auto number = [&](const std::vector<float>& limits, std::vector<Index>& numbers) {
    numbers.assign(limits.size(), kNone);
    for (size_t i = 0; i < limits.size(); ++i) {
      if (!(limits[i] > 0)) continue;
      numbers[i] = static_cast<Index>(shapes_.size());
      shapes_.emplace_back();
    }
  };
  number(certificates.node_limits, node_shapes_);
  number(certificates.pair_limits, pair_shapes_);
  const RestShapes rest(tree, certificates.options);
  const auto set = [&](Index at, const RestShape& shape, float limit) {
    shapes_[static_cast<size_t>(at)] = shape.shape;
    shapes_[static_cast<size_t>(at)].limit = limit;
  };
  exec::parallel_for("certificates.nodes", tree.nodes.size(), [&](size_t i) {
    if (node_shapes_[i] != kNone)
      set(node_shapes_[i], rest.of_node(static_cast<Index>(i)), certificates.node_limits[i]);
  });
  exec::parallel_for("certificates.pairs", tree.pairs.size(), [&](size_t i) {
    if (pair_shapes_[i] != kNone)
      set(pair_shapes_[i], rest.of_pair(tree.pairs[i]), certificates.pair_limits[i]);
  });
}

}  // namespace marrow
