// CHOLMOD's supernodal Cholesky. The fill-reducing order is computed on the graph of 3×3 blocks, a ninth of
// the entries, and expanded; the symbolic analysis is kept while the pattern's version stays.
//
// OpenBLAS runs on one thread: its threaded kernels change the order of sums with the number of threads, and
// our results must not. So do its kernels for other processors [D19].
#include <cholmod.h>
#include <dlfcn.h>

#include <algorithm>

#include "core/trace.h"
#include "exec/parallel.h"
#include "linalg/blas.h"
#include "linalg/linear_solver.h"
#include "linalg/node_order.h"

namespace marrow {
namespace {

// CHOLMOD asks for four OpenMP threads whatever the settings; regions at level 0 run on one.
void disable_openmp() {
  using SetLevels = void (*)(int);
  const auto set_levels = reinterpret_cast<SetLevels>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"));
  if (set_levels != nullptr) set_levels(0);
}

class CholmodSolver final : public LinearSolver {
 public:
  CholmodSolver() {
    prepare_blas();
    cholmod_start(&common_);
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.print = 0;
    common_.error_handler = nullptr;
  }
  CholmodSolver(const CholmodSolver&) = delete;
  CholmodSolver& operator=(const CholmodSolver&) = delete;
  ~CholmodSolver() override {
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_sparse(&matrix_, &common_);
    for (cholmod_dense** vector : {&solution_, &work_y_, &work_e_}) cholmod_free_dense(vector, &common_);
    cholmod_finish(&common_);
  }

  LinearStatus factorize(const BlockMatrix& A) override {
    if (factor_ == nullptr || version_ != A.pattern.version) analyze(A.pattern);
    if (factor_ == nullptr) return status();
    copy_values(A);
    const trace::Scope scope("linear.factorize");
    disable_openmp();
    cholmod_factorize(matrix_, factor_, &common_);
    return status();
  }

  LinearStatus solve(const VecX& b, VecX& x) override {
    const trace::Scope scope("linear.solve");
    cholmod_dense rhs = {};
    rhs.nrow = rhs.nzmax = rhs.d = static_cast<size_t>(b.size());
    rhs.ncol = 1;
    rhs.x = const_cast<double*>(b.data());
    rhs.xtype = CHOLMOD_REAL;
    rhs.dtype = CHOLMOD_DOUBLE;
    cholmod_solve2(CHOLMOD_A, factor_, &rhs, nullptr, &solution_, nullptr, &work_y_, &work_e_, &common_);
    if (status() != LinearStatus::Solved) return status();
    x = Eigen::Map<const VecX>(static_cast<const double*>(solution_->x), b.size());
    return LinearStatus::Solved;
  }

 private:
  LinearStatus status() const {
    if (common_.status == CHOLMOD_NOT_POSDEF) return LinearStatus::NotPositiveDefinite;
    return common_.status == CHOLMOD_OK ? LinearStatus::Solved : LinearStatus::OutOfMemory;
  }

  void analyze(const BlockPattern& pattern) {
    const trace::Scope scope("linear.analyze");
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_sparse(&matrix_, &common_);
    const std::vector<int> order = compute_order(pattern);
    build_scalar_pattern(pattern);
    if (matrix_ == nullptr) return;
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_GIVEN;
    common_.postorder = 1;
    factor_ = cholmod_analyze_p(matrix_, const_cast<int*>(order.data()), nullptr, 0, &common_);
    version_ = pattern.version;
  }

  // The elimination order of scalar unknowns, found on the block graph.
  static std::vector<int> compute_order(const BlockPattern& pattern) {
    std::vector<int> order;
    order.reserve(3 * static_cast<size_t>(pattern.node_count()));
    for (const Index block : compute_node_order(pattern)) {
      order.insert(order.end(), {3 * block, 3 * block + 1, 3 * block + 2});
    }
    return order;
  }

  // The lower triangle in compressed scalar columns.
  void build_scalar_pattern(const BlockPattern& pattern) {
    const Index n = pattern.node_count();
    const size_t entries = 9 * pattern.block_count() - 3 * static_cast<size_t>(n);
    matrix_ = cholmod_allocate_sparse(3 * static_cast<size_t>(n), 3 * static_cast<size_t>(n), entries, 1, 1,
                                      -1, CHOLMOD_REAL, &common_);
    if (matrix_ == nullptr) return;
    int* columns = static_cast<int*>(matrix_->p);
    int* rows = static_cast<int*>(matrix_->i);
    int at = 0;
    for (Index j = 0; j < n; ++j) {
      for (int c = 0; c < 3; ++c) {
        columns[3 * j + c] = at;
        for (Index s = pattern.column_offsets[j]; s < pattern.column_offsets[j + 1]; ++s) {
          const Index i = pattern.rows[s];
          for (int r = (i == j ? c : 0); r < 3; ++r) rows[at++] = 3 * i + r;
        }
      }
    }
    columns[3 * n] = at;
  }

  void copy_values(const BlockMatrix& A) {
    const BlockPattern& pattern = A.pattern;
    const int* columns = static_cast<const int*>(matrix_->p);
    double* values = static_cast<double*>(matrix_->x);
    exec::parallel_for("linear.copy", static_cast<size_t>(pattern.node_count()), [&](size_t node) {
      const Index j = static_cast<Index>(node);
      for (int c = 0; c < 3; ++c) {
        double* out = values + columns[3 * j + c];
        for (Index s = pattern.column_offsets[j]; s < pattern.column_offsets[j + 1]; ++s) {
          for (int r = (pattern.rows[s] == j ? c : 0); r < 3; ++r) *out++ = A.blocks[s](r, c);
        }
      }
    });
  }

  cholmod_common common_ = {};
  cholmod_sparse* matrix_ = nullptr;
  cholmod_factor* factor_ = nullptr;
  cholmod_dense* solution_ = nullptr;
  cholmod_dense* work_y_ = nullptr;
  cholmod_dense* work_e_ = nullptr;
  std::uint64_t version_ = 0;
};

}  // namespace

std::unique_ptr<LinearSolver> make_cholmod_solver() { return std::make_unique<CholmodSolver>(); }

}  // namespace marrow
