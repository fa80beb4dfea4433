#include "geometry/medial/bound_rows.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <map>

#include "exec/parallel.h"
#include "math/svd3.h"

namespace marrow {
namespace {

// A row over nodes, with what stays at rest: y = rest + Σ w n.
struct NodeRow {
  std::map<Index, double> weights;
  Vec3 rest = Vec3::Zero();
  double rest_weight = 0;  // what the weights lack to a sum of 1
  double sum = 0;          // of their magnitudes

  void add(double factor, const NodeRow& other) {
    for (const auto& [node, w] : other.weights) weights[node] += factor * w;
    rest += factor * other.rest;
    rest_weight += factor * other.rest_weight;
    sum += std::abs(factor) * other.sum;
  }
};

NodeRow read_row(const ScalarMatrix& weights, Index row, const Vec3& x, const Points& nodes) {
  NodeRow result;
  result.rest = x;
  result.rest_weight = 1;
  for (Index k = weights.offsets[static_cast<size_t>(row)]; k < weights.offsets[static_cast<size_t>(row) + 1];
       ++k) {
    const Index node = weights.indices[static_cast<size_t>(k)];
    const double w = weights.values[static_cast<size_t>(k)];
    result.weights[node] += w;
    result.rest -= w * nodes[static_cast<size_t>(node)];
    result.rest_weight -= w;
    result.sum += std::abs(w);
  }
  return result;
}

// The rows of one primitive while they are made.
class RowBuilder {
 public:
  RowBuilder(const MedialRest& rest, const std::vector<HandleRest>& handles, const MedialPrimitive& primitive,
             double need)
      : rest_(rest), handles_(handles), primitive_(primitive) {
    rows_.need = need;
    for (int i = 0; i < primitive.count; ++i) {
      const Index v = primitive.vertices[static_cast<size_t>(i)];
      spheres_.push_back(
          read_row(rest.sphere_weights, v, rest.medial.points[static_cast<size_t>(v)], rest.nodes));
      rows_.center += rest.medial.points[static_cast<size_t>(v)] / primitive.count;
    }
    set_sides();
  }

  void build(std::span<const PiecePoint> points, int representatives) {
    for (const PiecePoint& point : points) add_point(point);
    set_ellipsoid();
    list_row_handles();
    for (const NodeRow& row : differences_) numbers_.push_back(make_numbers(row));
    choose(representatives);
  }

  // NOLINTBEGIN(readability-identifier-naming): results, taken when all is done
  PrimitiveRows rows_;
  std::vector<RowHandle> row_handles_;
  std::vector<double> chosen_, chosen_differences_;
  // NOLINTEND(readability-identifier-naming)

 private:
  // Sides of a slab that are parallel up to this count as one: its square is still far above rounding.
  static constexpr double kLeastSide = 1e-6;  // [derived]

  void set_sides() {
    if (primitive_.count < 2) return;
    Eigen::Matrix<double, 3, 2> sides = Eigen::Matrix<double, 3, 2>::Zero();
    for (int k = 1; k < primitive_.count; ++k) {
      sides.col(k - 1) =
          rest_.medial.points[static_cast<size_t>(primitive_.vertices[static_cast<size_t>(k)])] -
          rest_.medial.points[static_cast<size_t>(primitive_.vertices[0])];
    }
    rows_.rest_sides = sides;
    Mat3 square = Mat3::Zero();
    square.leftCols<2>() = sides;
    const Svd3 svd = compute_svd3(square);
    for (int k = 0; k < 2; ++k) {
      const double s = svd.s[k];
      if (s > kLeastSide * svd.s[0] && s > 0)
        rows_.across += svd.V.col(k).head<2>() * svd.U.col(k).transpose() / s;
    }
  }

  void add_point(const PiecePoint& point) {
    const Triangle& t = rest_.surface.triangles[static_cast<size_t>(point.triangle)];
    NodeRow row;
    Vec3 x = Vec3::Zero(), c = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
      if (point.weights[i] == 0) continue;
      const Index v = t[static_cast<size_t>(i)];
      const Vec3& corner = rest_.surface.points[static_cast<size_t>(v)];
      row.add(point.weights[i], read_row(rest_.surface_weights, v, corner, rest_.nodes));
      x += point.weights[i] * corner;
    }
    double radius = rows_.need;
    for (int i = 0; i < primitive_.count; ++i) {
      const auto v = static_cast<size_t>(primitive_.vertices[static_cast<size_t>(i)]);
      row.add(-point.along[i], spheres_[static_cast<size_t>(i)]);
      c += point.along[i] * rest_.medial.points[v];
      radius += point.along[i] * rest_.medial.radii[v];
    }
    rows_.row_sum = std::max(rows_.row_sum, row.sum);
    rows_.row_length = std::max(rows_.row_length, static_cast<int>(row.weights.size()));
    if (radius > 0) directions_.push_back((x - c) / radius);
    extent_ = std::max(extent_, (x - rows_.center).norm());
    differences_.push_back(std::move(row));
  }

  // The smallest ellipsoid about the origin that holds all directions, nearly (Khachiyan 1996): the moment of
  // the directions with weights, of which the farthest one gets more. However good, it is made large enough
  // at the end.
  void set_ellipsoid() {
    if (directions_.empty()) return;
    const double count = static_cast<double>(directions_.size());
    Mat3 moment = 1e-6 * Mat3::Identity();  // [derived: flat sets keep a condition below 1000]
    for (const Vec3& u : directions_) moment += u * u.transpose() / count;
    for (int round = 0; round < 60; ++round) {
      const Mat3 inverse = moment.inverse();
      double most = 0;
      const Vec3* farthest = nullptr;
      for (const Vec3& u : directions_) {
        const double value = u.dot(inverse * u);
        if (value > most) {
          most = value;
          farthest = &u;
        }
      }
      if (farthest == nullptr || most <= 3) break;
      const double step = (most - 3) / (3 * (most - 1));
      moment = (1 - step) * moment + step * *farthest * farthest->transpose();
      moment += 1e-7 * Mat3::Identity();
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(moment);
    const Mat3 root = eigen.operatorSqrt(), inverse = eigen.operatorInverseSqrt();
    double largest = 0;
    for (const Vec3& u : directions_) largest = std::max(largest, (inverse * u).norm());
    rows_.ellipsoid = (1 + 1e-9) * largest * root;  // [derived: more than the rounding of the two roots]
  }

  Index find_handle(Index node) const {
    const auto& starts = rest_.handle_nodes;
    return static_cast<Index>(std::upper_bound(starts.begin(), starts.end(), node) - starts.begin()) - 1;
  }

  // The handle's own sphere, if it has one here: it goes where the sphere goes.
  Vec3 choose_origin(Index handle) const {
    for (int i = 0; i < primitive_.count; ++i) {
      const NodeRow& sphere = spheres_[static_cast<size_t>(i)];
      const bool follows = std::all_of(sphere.weights.begin(), sphere.weights.end(), [&](const auto& entry) {
        return entry.second == 0 || find_handle(entry.first) == handle;
      });
      if (follows)
        return rest_.medial.points[static_cast<size_t>(primitive_.vertices[static_cast<size_t>(i)])];
    }
    return rows_.center;
  }

  bool moves_sphere(Index handle) const {
    for (const NodeRow& sphere : spheres_)
      for (const auto& [node, w] : sphere.weights)
        if (w != 0 && find_handle(node) == handle) return true;
    return false;
  }

  void list_row_handles() {
    std::map<Index, int> bumps = {{kNone, 0}};
    for (const NodeRow& row : differences_)
      for (const auto& entry : row.weights) {
        const Index j = find_handle(entry.first);
        bumps[j] = handles_[static_cast<size_t>(j)].node_count == 4 ? 0 : kHandleSides;
      }
    for (const auto& [j, count] : bumps) {
      const Vec3 origin = j == kNone ? rows_.center : choose_origin(j);
      row_handles_.push_back({j, origin, rows_.width, rows_.difference_width, count, moves_sphere(j)});
      rows_.width += 4 + count;
      rows_.difference_width += 2 + count;
    }
  }

  // M, d and D of every handle.
  std::vector<double> make_numbers(const NodeRow& row) const {
    std::vector<double> numbers(static_cast<size_t>(rows_.width), 0.0);
    for (const RowHandle& h : row_handles_) {
      double* z = numbers.data() + h.first;
      Vec3 M = Vec3::Zero();
      double d = 0;
      const auto add = [&](const Vec3& x, double w) {
        M += w * (x - h.origin);
        d += w;
      };
      if (h.handle == kNone) {
        M = row.rest - row.rest_weight * h.origin;
        d = row.rest_weight;
      } else {
        const HandleRest& handle = handles_[static_cast<size_t>(h.handle)];
        const auto weight = [&](int k) {
          const auto found = row.weights.find(handle.first_node + k);
          return found == row.weights.end() ? 0.0 : found->second;
        };
        // A midpoint goes half with either corner, and its bump beside.
        for (int k = 0; k < 4; ++k) add(rest_.nodes[static_cast<size_t>(handle.first_node + k)], weight(k));
        for (int s = 0; s < h.bump_count; ++s) {
          const double w = weight(4 + s);
          for (int end = 0; end < 2; ++end)
            add(rest_.nodes[static_cast<size_t>(handle.first_node + handle_side(s, end))], 0.5 * w);
          z[4 + s] = w;
        }
      }
      for (int k = 0; k < 3; ++k) z[k] = M[k];
      z[3] = d;
    }
    return numbers;
  }

  // How different two rows are: M counts in extents of the primitive, so that all numbers are alike.
  double compare(const double* a, const double* b) const {
    double sum = 0;
    for (const RowHandle& h : row_handles_) {
      for (int k = h.first; k < h.first + 4 + h.bump_count; ++k) {
        const double scale = k < h.first + 3 ? 1 / extent_ : 1;
        const double difference = scale * (a[k] - b[k]);
        sum += difference * difference;
      }
    }
    return sum;
  }

  // Always the point that differs most from those chosen; with as many as points, each stands for itself.
  void choose(int most) {
    const size_t count = numbers_.size(), width = static_cast<size_t>(rows_.width);
    if (count == 0) return;
    std::vector<double> nearest(count, INFINITY);
    std::vector<size_t> stands(count, 0);
    size_t next = 0;
    for (int k = 0; k < most && nearest[next] > 0; ++k) {
      const std::vector<double>& z = numbers_[next];
      chosen_.insert(chosen_.end(), z.begin(), z.end());
      for (size_t i = 0; i < count; ++i) {
        const double difference = compare(z.data(), numbers_[i].data());
        if (difference >= nearest[i]) continue;
        nearest[i] = difference;
        stands[i] = static_cast<size_t>(k);
      }
      ++rows_.representatives;
      next = static_cast<size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    }
    chosen_differences_.assign(static_cast<size_t>(rows_.representatives * rows_.difference_width), 0.0);
    for (size_t i = 0; i < count; ++i) {
      const double* z = chosen_.data() + stands[i] * width;
      add_differences(numbers_[i].data(), z,
                      chosen_differences_.data() + stands[i] * static_cast<size_t>(rows_.difference_width));
    }
  }

  void add_differences(const double* a, const double* b, double* largest) const {
    for (const RowHandle& h : row_handles_) {
      double* to = largest + h.first_difference;
      const int k = h.first;
      to[0] = std::max(to[0], Vec3(a[k] - b[k], a[k + 1] - b[k + 1], a[k + 2] - b[k + 2]).norm());
      to[1] = std::max(to[1], std::abs(a[k + 3] - b[k + 3]));
      for (int s = 0; s < h.bump_count; ++s)
        to[2 + s] = std::max(to[2 + s], std::abs(a[k + 4 + s] - b[k + 4 + s]));
    }
  }

  const MedialRest& rest_;
  const std::vector<HandleRest>& handles_;
  const MedialPrimitive& primitive_;
  std::vector<NodeRow> spheres_, differences_;
  Points directions_;
  double extent_ = 1e-300;
  std::vector<std::vector<double>> numbers_;
};

}  // namespace

std::vector<HandleRest> list_handles(const MedialRest& rest) {
  std::vector<HandleRest> handles(rest.handle_count());
  for (size_t j = 0; j < handles.size(); ++j) {
    HandleRest& handle = handles[j];
    handle.first_node = rest.handle_nodes[j];
    handle.node_count = rest.handle_nodes[j + 1] - rest.handle_nodes[j];
    const Vec3* N = rest.nodes.data() + handle.first_node;
    handle.corner = N[0];
    Mat3 sides;
    sides << N[1] - N[0], N[2] - N[0], N[3] - N[0];
    handle.inverse = sides.inverse();
  }
  return handles;
}

BoundRows build_bound_rows(const MedialRest& rest, const std::vector<HandleRest>& handles,
                           const std::vector<MedialPrimitive>& primitives, const SurfacePieces& pieces,
                           int representatives) {
  std::vector<RowBuilder> builders;
  for (size_t p = 0; p < primitives.size(); ++p)
    builders.emplace_back(rest, handles, primitives[p], pieces.needs[p]);
  const auto& starts = pieces.points.starts;
  const auto& values = pieces.points.values;
  exec::parallel_for(
      "medial.rows", builders.size(),
      [&](size_t p) {
        builders[p].build({values.data() + starts[p], values.data() + starts[p + 1]}, representatives);
      },
      1);
  BoundRows rows;
  for (RowBuilder& builder : builders) {
    builder.rows_.first_handle = rows.handles.size();
    builder.rows_.handle_count = builder.row_handles_.size();
    builder.rows_.first_row = rows.numbers.size();
    builder.rows_.first_difference = rows.differences.size();
    rows.primitives.push_back(builder.rows_);
    rows.handles.insert(rows.handles.end(), builder.row_handles_.begin(), builder.row_handles_.end());
    rows.numbers.insert(rows.numbers.end(), builder.chosen_.begin(), builder.chosen_.end());
    rows.differences.insert(rows.differences.end(), builder.chosen_differences_.begin(),
                            builder.chosen_differences_.end());
  }
  return rows;
}

}  // namespace marrow
