#include "linalg/scalar/scalar_factor.h"

#include <cholmod.h>

#include "core/trace.h"
#include "exec/parallel.h"
#include "linalg/blas.h"
#include "linalg/dense_inverse.h"

namespace marrow {
namespace {

// The inverse is taken while it has no more than this many times the numbers that a sparse solve reads.
// [measured: bench/results/projective.md, dense and sparse; speed only]
constexpr double kDenseShare = 2;
// Rows of the inverse that are worth a task. [speed only]
constexpr size_t kRowGrain = 16;

class SparseFactor {
 public:
  SparseFactor() {
    prepare_blas();
    cholmod_start(&common_);
    common_.print = 0;
    common_.error_handler = nullptr;
    common_.final_ll = 1;
  }
  SparseFactor(const SparseFactor&) = delete;
  SparseFactor& operator=(const SparseFactor&) = delete;
  ~SparseFactor() {
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_sparse(&matrix_, &common_);
    for (cholmod_dense** vector : {&solution_, &work_y_, &work_e_}) cholmod_free_dense(vector, &common_);
    cholmod_finish(&common_);
  }

  // Finds an order; returns the number of entries of L, 0 if that failed.
  double analyze(const ScalarMatrix& A) {
    copy(A);
    if (matrix_ == nullptr) return 0;
    factor_ = cholmod_analyze(matrix_, &common_);
    return factor_ == nullptr ? 0 : common_.lnz;
  }

  void set_values(const ScalarMatrix& A) {
    double* value = static_cast<double*>(matrix_->x);
    for (Index j = 0; j < A.rows(); ++j) {
      for (Index k = A.offsets[j]; k < A.offsets[j + 1]; ++k) {
        if (A.indices[k] >= j) *value++ = A.values[k];
      }
    }
  }

  bool factorize() {
    return cholmod_factorize(matrix_, factor_, &common_) != 0 && common_.status == CHOLMOD_OK;
  }

  // The coordinates are columns for CHOLMOD.
  void solve(const VecX& b, VecX& x) {
    const auto rows = static_cast<Index>(b.size() / 3);
    columns_ = Eigen::Map<const Eigen::Matrix3Xd>(b.data(), 3, rows).transpose();
    cholmod_dense rhs = {};
    rhs.nrow = rhs.d = static_cast<size_t>(rows);
    rhs.ncol = 3;
    rhs.nzmax = 3 * rhs.nrow;
    rhs.x = columns_.data();
    rhs.xtype = CHOLMOD_REAL;
    rhs.dtype = CHOLMOD_DOUBLE;
    cholmod_solve2(CHOLMOD_A, factor_, &rhs, nullptr, &solution_, nullptr, &work_y_, &work_e_, &common_);
    x.resize(b.size());
    Eigen::Map<Eigen::Matrix3Xd>(x.data(), 3, rows) =
        Eigen::Map<const Eigen::MatrixX3d>(static_cast<const double*>(solution_->x), rows, 3).transpose();
  }

 private:
  // The lower triangle in compressed columns, which are the rows of A.
  void copy(const ScalarMatrix& A) {
    const auto size = static_cast<size_t>(A.rows());
    matrix_ = cholmod_allocate_sparse(size, size, A.values.size(), 1, 1, -1, CHOLMOD_REAL, &common_);
    if (matrix_ == nullptr) return;
    int* starts = static_cast<int*>(matrix_->p);
    int* rows = static_cast<int*>(matrix_->i);
    double* values = static_cast<double*>(matrix_->x);
    int at = 0;
    for (Index j = 0; j < A.rows(); ++j) {
      starts[j] = at;
      for (Index k = A.offsets[j]; k < A.offsets[j + 1]; ++k) {
        if (A.indices[k] < j) continue;
        rows[at] = A.indices[k];
        values[at++] = A.values[k];
      }
    }
    starts[size] = at;
  }

  cholmod_common common_ = {};
  cholmod_sparse* matrix_ = nullptr;
  cholmod_factor* factor_ = nullptr;
  cholmod_dense* solution_ = nullptr;
  cholmod_dense* work_y_ = nullptr;
  cholmod_dense* work_e_ = nullptr;
  Eigen::MatrixX3d columns_;
};

bool invert(const ScalarMatrix& A, MatX& inverse) {
  inverse.setZero(A.rows(), A.rows());
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) inverse(i, A.indices[k]) = A.values[k];
  }
  return invert_positive_definite(inverse);
}

// x_i = Σ_j A⁻¹_ij b_j; the inverse is symmetric, so that row i is column i.
void apply(const MatX& inverse, const VecX& b, VecX& x) {
  x.resize(b.size());
  const auto count = static_cast<Index>(inverse.rows());
  exec::parallel_for(
      "scalar_factor.apply", static_cast<size_t>(count),
      [&](size_t row) {
        const auto i = static_cast<Index>(row);
        const double* entries = inverse.col(i).data();
        double sums[2][3] = {};
        const double* at = b.data();
        Index j = 0;
        for (; j + 1 < count; j += 2, at += 6) {
          for (int c = 0; c < 3; ++c) {
            sums[0][c] += entries[j] * at[c];
            sums[1][c] += entries[j + 1] * at[3 + c];
          }
        }
        if (j < count) {
          for (int c = 0; c < 3; ++c) sums[0][c] += entries[j] * at[c];
        }
        for (int c = 0; c < 3; ++c) x[3 * i + c] = sums[0][c] + sums[1][c];
      },
      kRowGrain);
}

}  // namespace

struct ScalarFactor::Form {
  Index size = 0;
  double bytes = 0;
  MatX inverse;                          // if it is dense
  std::unique_ptr<SparseFactor> sparse;  // else
};

ScalarFactor::ScalarFactor() = default;
ScalarFactor::~ScalarFactor() = default;
ScalarFactor::ScalarFactor(ScalarFactor&&) noexcept = default;
ScalarFactor& ScalarFactor::operator=(ScalarFactor&&) noexcept = default;

bool ScalarFactor::factorize(const ScalarMatrix& A) {
  const trace::Scope scope("scalar_factor.factorize");
  const BlasScope one_thread;
  form_ = std::make_unique<Form>();
  form_->size = A.rows();
  if (A.rows() == 0) return true;
  auto sparse = std::make_unique<SparseFactor>();
  const double entries = sparse->analyze(A);
  if (entries == 0) return false;
  const double square = static_cast<double>(A.rows()) * A.rows();
  constexpr double kNumber = sizeof(double);
  if (square <= kDenseShare * 2 * entries) {
    form_->bytes = kNumber * square;
    return invert(A, form_->inverse);
  }
  form_->bytes = kNumber * 2 * entries;
  form_->sparse = std::move(sparse);
  return form_->sparse->factorize();
}

bool ScalarFactor::update(const ScalarMatrix& A) {
  const trace::Scope scope("scalar_factor.update");
  if (form_->size == 0) return true;
  const BlasScope one_thread;
  if (!form_->sparse) return invert(A, form_->inverse);
  form_->sparse->set_values(A);
  return form_->sparse->factorize();
}

void ScalarFactor::solve(const VecX& b, VecX& x) {
  if (form_->size == 0) return x.resize(0);
  if (form_->sparse) {
    const BlasScope one_thread;
    form_->sparse->solve(b, x);
  } else {
    apply(form_->inverse, b, x);
  }
}

const MatX& ScalarFactor::inverse() const { return form_->inverse; }
bool ScalarFactor::is_dense() const { return !form_->sparse; }
Index ScalarFactor::size() const { return form_->size; }
double ScalarFactor::bytes() const { return form_->bytes; }

}  // namespace marrow
