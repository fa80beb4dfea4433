#include "preprocess/medial/biharmonic_weights.h"

#include <cholmod.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "exec/parallel.h"
#include "linalg/blas.h"
#include "linalg/node_order.h"

namespace marrow {
namespace {

// Penalty of the handles' conditions against the largest entry of the energy.
constexpr double kPenalty = 1e5;

struct LaplaceOperator {
  ScalarMatrix stiffness;
  std::vector<double> masses;
};

// In units of the mean edge, so that the numbers do not depend on the model's size.
LaplaceOperator build_laplace(const Mesh& tets) {
  const double unit = (tets.points[tets.tets[0][0]] - tets.points[tets.tets[0][1]]).norm();
  std::vector<Triplet> entries;
  entries.reserve(16 * tets.tets.size());
  LaplaceOperator laplace;
  laplace.masses.assign(tets.points.size(), 0);
  for (const Tet& t : tets.tets) {
    Mat3 edges;
    for (int i = 0; i < 3; ++i) edges.col(i) = (tets.points[t[i + 1]] - tets.points[t[0]]) / unit;
    const double volume = std::abs(edges.determinant()) / 6;
    const Mat3 inverse = edges.inverse();
    std::array<Vec3, 4> gradients;
    gradients[0].setZero();
    for (int i = 0; i < 3; ++i) {
      gradients[i + 1] = inverse.row(i);
      gradients[0] -= gradients[i + 1];
    }
    for (int i = 0; i < 4; ++i) {
      laplace.masses[t[i]] += volume / 4;
      for (int j = 0; j < 4; ++j) entries.push_back({t[i], t[j], volume * gradients[i].dot(gradients[j])});
    }
  }
  const Index n = static_cast<Index>(tets.points.size());
  laplace.stiffness = build_scalar_matrix(n, n, std::move(entries));
  return laplace;
}

// How an energy that cannot be factorised is made milder.
struct Mildness {
  bool has_usual_penalty = false;  // by the median of the diagonal instead of the largest entry
  double shift = 0;                // of the diagonal, relative to the largest entry
};

// L M⁻¹ L plus the penalty of every handle and anchor; conditions holds their rows.
ScalarMatrix build_energy(const LaplaceOperator& laplace, const ScalarMatrix& conditions,
                          const Mildness& mildness, double& penalty) {
  const ScalarMatrix& L = laplace.stiffness;
  ScalarMatrix scaled = L;
  for (Index i = 0; i < L.rows(); ++i) {
    for (Index k = L.offsets[i]; k < L.offsets[i + 1]; ++k) scaled.values[k] /= laplace.masses[i];
  }
  const ScalarMatrix Q = multiply_transposed(L, scaled);
  double largest = 0;
  for (const double value : Q.values) largest = std::max(largest, std::abs(value));
  std::vector<Triplet> entries;
  std::vector<double> diagonal;
  for (Index i = 0; i < Q.rows(); ++i) {
    for (Index k = Q.offsets[i]; k < Q.offsets[i + 1]; ++k) {
      entries.push_back({i, Q.indices[k], Q.values[k]});
      if (Q.indices[k] == i) diagonal.push_back(Q.values[k]);
    }
    if (mildness.shift > 0) entries.push_back({i, i, mildness.shift * largest});
  }
  const auto middle = diagonal.begin() + static_cast<std::ptrdiff_t>(diagonal.size() / 2);
  std::nth_element(diagonal.begin(), middle, diagonal.end());
  penalty = kPenalty * (mildness.has_usual_penalty ? *middle : largest);
  for (Index r = 0; r < conditions.rows(); ++r) {
    for (Index a = conditions.offsets[r]; a < conditions.offsets[r + 1]; ++a) {
      for (Index b = conditions.offsets[r]; b < conditions.offsets[r + 1]; ++b) {
        entries.push_back({conditions.indices[a], conditions.indices[b],
                           penalty * conditions.values[a] * conditions.values[b]});
      }
    }
  }
  return build_scalar_matrix(Q.rows(), Q.columns, std::move(entries));
}

// CHOLMOD for a scalar matrix and many right-hand sides.
class ScalarCholesky {
 public:
  explicit ScalarCholesky(const ScalarMatrix& A) {
    prepare_blas();
    cholmod_start(&common_);
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.print = 0;
    // The lower half by columns is the upper half by rows.
    BlockPattern pattern;
    pattern.column_offsets.push_back(0);
    std::vector<double> values;
    for (Index i = 0; i < A.rows(); ++i) {
      for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
        if (A.indices[k] < i) continue;
        pattern.rows.push_back(A.indices[k]);
        values.push_back(A.values[k]);
      }
      pattern.column_offsets.push_back(static_cast<Index>(pattern.rows.size()));
    }
    cholmod_sparse matrix = {};
    matrix.nrow = matrix.ncol = static_cast<size_t>(A.rows());
    matrix.nzmax = values.size();
    matrix.p = pattern.column_offsets.data();
    matrix.i = pattern.rows.data();
    matrix.x = values.data();
    matrix.stype = -1;
    matrix.itype = CHOLMOD_INT;
    matrix.xtype = CHOLMOD_REAL;
    matrix.dtype = CHOLMOD_DOUBLE;
    matrix.sorted = matrix.packed = 1;
    std::vector<Index> order = compute_node_order(pattern);
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_GIVEN;
    common_.postorder = 1;
    factor_ = cholmod_analyze_p(&matrix, order.data(), nullptr, 0, &common_);
    if (factor_ != nullptr) cholmod_factorize(&matrix, factor_, &common_);
    is_good_ = factor_ != nullptr && common_.status == CHOLMOD_OK;
  }
  ScalarCholesky(const ScalarCholesky&) = delete;
  ScalarCholesky& operator=(const ScalarCholesky&) = delete;
  ~ScalarCholesky() {
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }

  bool is_good() const { return is_good_; }

  MatX solve(MatX rhs) {
    cholmod_dense b = {};
    b.nrow = b.d = static_cast<size_t>(rhs.rows());
    b.ncol = static_cast<size_t>(rhs.cols());
    b.nzmax = static_cast<size_t>(rhs.size());
    b.x = rhs.data();
    b.xtype = CHOLMOD_REAL;
    b.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* x = cholmod_solve(CHOLMOD_A, factor_, &b, &common_);
    if (x == nullptr) throw std::runtime_error("out of memory while solving for the weights");
    rhs = Eigen::Map<const MatX>(static_cast<const double*>(x->x), rhs.rows(), rhs.cols());
    cholmod_free_dense(&x, &common_);
    return rhs;
  }

 private:
  cholmod_common common_ = {};
  cholmod_factor* factor_ = nullptr;
  bool is_good_ = false;
};

// The factors of the energy. Flat tets make its entries differ by more than double precision bears: then
// masses have a floor, the penalty follows the usual entry instead of the largest, and the diagonal is
// shifted a little.
std::unique_ptr<ScalarCholesky> factorize_energy(const Mesh& tets, const ScalarMatrix& conditions,
                                                 double& penalty) {
  LaplaceOperator laplace = build_laplace(tets);
  auto factor = std::make_unique<ScalarCholesky>(build_energy(laplace, conditions, {}, penalty));
  if (factor->is_good()) return factor;
  std::vector<double> sorted = laplace.masses;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                   sorted.end());
  for (double& mass : laplace.masses) mass = std::max(mass, sorted[sorted.size() / 2]);
  for (const double shift : {0.0, 1e-13, 1e-12, 1e-11, 1e-10}) {
    factor = std::make_unique<ScalarCholesky>(build_energy(laplace, conditions, {true, shift}, penalty));
    if (factor->is_good()) return factor;
  }
  throw std::runtime_error(
      "the linear system for the weights cannot be factorised; use a lattice, or better tets");
}

// Drops small weights of a point and makes the rest sum to 1.
void add_row(const Eigen::RowVectorXd& weights, double threshold, Index nearest, ScalarMatrix& W) {
  double sum = 0;
  for (Index j = 0; j < weights.size(); ++j) sum += weights[j] >= threshold ? weights[j] : 0;
  if (sum > 0) {
    for (Index j = 0; j < weights.size(); ++j) {
      if (weights[j] < threshold) continue;
      W.indices.push_back(j);
      W.values.push_back(weights[j] / sum);
    }
  } else {
    W.indices.push_back(nearest);
    W.values.push_back(1);
  }
  W.offsets.push_back(static_cast<Index>(W.indices.size()));
}

}  // namespace

ScalarMatrix compute_biharmonic_weights(const Mesh& tets, const std::vector<EmbeddedPoint>& handles,
                                        const std::vector<std::vector<Index>>& anchors,
                                        const WeightOptions& options) {
  const Index n = static_cast<Index>(tets.points.size());
  const Index handle_count = static_cast<Index>(handles.size());
  const Index columns = handle_count + static_cast<Index>(anchors.size());
  // One condition per handle and per anchor.
  std::vector<Triplet> rows;
  Points centers;
  for (Index j = 0; j < handle_count; ++j) {
    Vec3 center = Vec3::Zero();
    for (int c = 0; c < 4; ++c) {
      const Index v = tets.tets[handles[j].tet][c];
      if (handles[j].weights[c] != 0) rows.push_back({j, v, handles[j].weights[c]});
      center += handles[j].weights[c] * tets.points[v];
    }
    centers.push_back(center);
  }
  // The column of each anchored point, and of each condition.
  std::vector<Index> group_of(tets.points.size(), kNone);
  std::vector<Index> column_of(handles.size());
  std::iota(column_of.begin(), column_of.end(), 0);
  for (size_t g = 0; g < anchors.size(); ++g) {
    for (const Index point : anchors[g]) {
      if (group_of[point] != kNone) continue;
      group_of[point] = handle_count + static_cast<Index>(g);
      rows.push_back({static_cast<Index>(column_of.size()), point, 1});
      column_of.push_back(group_of[point]);
    }
  }
  const Index condition_count = static_cast<Index>(column_of.size());
  const ScalarMatrix conditions = build_scalar_matrix(condition_count, n, std::move(rows));
  double penalty = 0;
  const std::unique_ptr<ScalarCholesky> factor = factorize_energy(tets, conditions, penalty);

  MatX rhs = MatX::Zero(n, columns);
  for (Index r = 0; r < condition_count; ++r) {
    for (Index k = conditions.offsets[r]; k < conditions.offsets[r + 1]; ++k) {
      rhs(conditions.indices[k], column_of[r]) += penalty * conditions.values[k];
    }
  }
  const MatX weights = factor->solve(std::move(rhs));

  ScalarMatrix W;
  W.columns = columns;
  for (Index i = 0; i < n; ++i) {
    Index nearest = 0;
    for (Index j = 1; j < handle_count; ++j) {
      const Vec3& x = tets.points[i];
      if ((centers[j] - x).squaredNorm() < (centers[nearest] - x).squaredNorm()) nearest = j;
    }
    Eigen::RowVectorXd row = weights.row(i);
    if (group_of[i] != kNone) {
      row.setZero();
      row[group_of[i]] = 1;
    }
    add_row(row, options.threshold, nearest, W);
  }
  return W;
}

}  // namespace marrow
