// Multifrontal Cholesky over 3×3 blocks, on all cores, the same bits on any number of them.
//
// Every front gathers its part of the matrix and its children's updates, in a fixed order, into a dense
// matrix and eliminates its columns, with OpenBLAS unless they are few, one thread a call. Subtrees run side
// by side; the few large fronts above them are cut into tiles of a fixed size.
#include <cblas.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <numeric>

#include "core/memory.h"
#include "core/trace.h"
#include "exec/parallel.h"
#include "linalg/blas.h"
#include "linalg/factor_cost.h"
#include "linalg/front_tree.h"
#include "linalg/linear_solver.h"
#include "linalg/node_order.h"
#include "linalg/small_front.h"

// LAPACK's Cholesky factorisation.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, size_t);

namespace marrow {
namespace {

// An order is kept for other patterns while it costs at most this much more than when it was made.
constexpr double kOrderSlack = 1.2;

constexpr int kTile = 120;  // rows and columns of a tile of a large front

// A block of the matrix in elimination order: in the lower triangle, its column the earlier one.
struct MatrixEntry {
  Index row;
  Index block;
  bool is_transposed;
};

// The blocks of every column.
struct MatrixColumns {
  std::vector<Index> offsets;
  std::vector<MatrixEntry> entries;
};

MatrixColumns sort_columns(const BlockPattern& pattern, const std::vector<Index>& position) {
  const Index n = pattern.node_count();
  MatrixColumns columns;
  columns.offsets.assign(static_cast<size_t>(n) + 1, 0);
  const auto for_each = [&](const auto& visit) {
    for (Index j = 0; j < n; ++j) {
      for (Index k = pattern.column_offsets[j]; k < pattern.column_offsets[j + 1]; ++k) {
        visit(position[pattern.rows[k]], position[j], k);
      }
    }
  };
  for_each([&](Index row, Index column, Index) { ++columns.offsets[std::min(row, column) + 1]; });
  std::partial_sum(columns.offsets.begin(), columns.offsets.end(), columns.offsets.begin());
  columns.entries.resize(pattern.block_count());
  std::vector<Index> next(columns.offsets.begin(), columns.offsets.end() - 1);
  for_each([&](Index row, Index column, Index k) {
    columns.entries[next[std::min(row, column)]++] = {std::max(row, column), k, row < column};
  });
  return columns;
}

// The update a front hands to its parent: the lower triangle over its rows.
using Update = std::vector<double>;

class MultifrontalSolver final : public LinearSolver {
 public:
  MultifrontalSolver() { prepare_blas(); }

  void reset() override { is_order_old_ = true; }

  void release() override {
    version_ = order_version_ = 0;
    is_order_old_ = true;
    tree_ = {};
    matrix_ = {};
    ordered_ = {};
    order_ = {};
    factor_ = std::vector<double>();
    updates_ = std::vector<Update>();
  }

  std::optional<FactorCost> foresee(const BlockMatrix& A) override {
    prepare(A.pattern);
    return cost_;
  }

  double memory_needed() const override { return cost_.memory(); }

  LinearStatus factorize(const BlockMatrix& A) override {
    try {
      prepare(A.pattern);
      if (cost_.memory() > memory_limit()) throw std::bad_alloc();
      const trace::Scope scope("linear.factorize");
      factor_.resize(tree_.panel_size);
      updates_.resize(tree_.fronts.size());
      is_failed_ = is_too_large_ = false;
      exec::parallel_for(
          "linear.subtrees", tree_.subtrees.size(),
          [&](size_t k) {
            try {
              for (const Index f : tree_.subtrees[k]) eliminate(A, f, false);
            } catch (const std::bad_alloc&) {
              is_too_large_ = true;
            }
          },
          1);
      if (is_too_large_) throw std::bad_alloc();
      for (const Index f : tree_.top) eliminate(A, f, true);
      return is_failed_ ? LinearStatus::NotPositiveDefinite : LinearStatus::Solved;
    } catch (const std::bad_alloc&) {
      version_ = 0;
      return LinearStatus::OutOfMemory;
    }
  }

  LinearStatus solve(const VecX& b, VecX& x) override {
    const trace::Scope scope("linear.solve");
    VecX y(b.size()), part;
    for (size_t k = 0; k < tree_.order.size(); ++k) {
      y.segment<3>(3 * static_cast<Index>(k)) = b.segment<3>(3 * tree_.order[k]);
    }
    for (const Front& front : tree_.fronts) solve_forward(front, part, y);
    for (auto front = tree_.fronts.rbegin(); front != tree_.fronts.rend(); ++front) {
      solve_backward(*front, part, y);
    }
    x.resize(b.size());
    for (size_t k = 0; k < tree_.order.size(); ++k) {
      x.segment<3>(3 * tree_.order[k]) = y.segment<3>(3 * static_cast<Index>(k));
    }
    return LinearStatus::Solved;
  }

 private:
  // After a reset the analysis stays only if its order was made for this very pattern.
  void prepare(const BlockPattern& pattern) {
    const bool is_kept = version_ == pattern.version && (!is_order_old_ || order_version_ == version_);
    if (!is_kept) analyze(pattern);
    is_order_old_ = false;
  }

  // A new order is made where the last one is of another system or has become too dear. What is kept depends
  // only on the patterns since the last reset.
  void analyze(const BlockPattern& pattern) {
    const trace::Scope scope("linear.analyze");
    const bool is_known =
        is_order_old_ && pattern.rows == ordered_.rows && pattern.column_offsets == ordered_.column_offsets;
    const bool is_usable = !is_order_old_ && order_.size() == static_cast<size_t>(pattern.node_count());
    if (is_known || is_usable) {
      tree_ = build_front_tree(pattern, order_);
      if (is_known) {
        order_work_ = tree_.work;
        order_version_ = pattern.version;
      }
    }
    if (!is_known && (!is_usable || tree_.work > kOrderSlack * order_work_)) {
      order_ = compute_node_order(pattern);
      ordered_ = pattern;
      order_version_ = pattern.version;
      tree_ = build_front_tree(pattern, order_);
      order_work_ = tree_.work;
    }
    matrix_ = sort_columns(pattern, tree_.position);
    cost_ = count_cost(tree_);
    version_ = pattern.version;
  }

  double* panel_of(const Front& front) { return factor_.data() + front.panel; }

  void eliminate(const BlockMatrix& A, Index f, bool is_parallel) {
    const Front& front = tree_.fronts[f];
    Update& update = updates_[f];
    const size_t rows = 3 * front.rows.size();
    update.assign(rows * rows, 0.0);
    gather_matrix(A, front);
    for (const Index child : tree_.children[f]) {
      add_update(tree_.fronts[child], updates_[child], front, update);
      updates_[child] = Update();  // gives its memory back, which = {} would not
    }
    if (is_parallel) {
      factorize_tiles(front, update);
    } else {
      factorize_front(front, update);
    }
  }

  // The front's columns of the matrix.
  void gather_matrix(const BlockMatrix& A, const Front& front) {
    const Index height = 3 * front.height(), end = front.first + front.width;
    double* panel = panel_of(front);
    std::fill_n(panel, 9 * static_cast<size_t>(front.height()) * static_cast<size_t>(front.width), 0.0);
    const auto add = [&](Index row, Index column, const Mat3& block, bool is_transposed) {
      const Index at = row < end ? row - front.first : front.width + find_row(front, row);
      double* to = panel + static_cast<size_t>(3 * (column - front.first)) * height + 3 * at;
      for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) to[c * height + r] += is_transposed ? block(c, r) : block(r, c);
      }
    };
    for (Index column = front.first; column < end; ++column) {
      for (Index k = matrix_.offsets[column]; k < matrix_.offsets[column + 1]; ++k) {
        const MatrixEntry& entry = matrix_.entries[k];
        add(entry.row, column, A.blocks[entry.block], entry.is_transposed);
      }
    }
  }

  static Index find_row(const Front& front, Index row) {
    return static_cast<Index>(std::lower_bound(front.rows.begin(), front.rows.end(), row) -
                              front.rows.begin());
  }

  // Adds a child's update where its rows are in the parent.
  void add_update(const Front& child, const Update& from, const Front& front, Update& update) {
    const size_t count = child.rows.size(), rows = 3 * front.rows.size();
    const auto height = static_cast<size_t>(3 * front.height());
    std::vector<size_t> place(count);  // among the front's columns, then its rows
    size_t at = 0;
    for (size_t i = 0; i < count; ++i) {
      if (child.rows[i] < front.first + front.width) {
        place[i] = static_cast<size_t>(child.rows[i] - front.first);
        continue;
      }
      while (front.rows[at] != child.rows[i]) ++at;
      place[i] = static_cast<size_t>(front.width) + at;
    }
    double* panel = panel_of(front);
    const auto width = static_cast<size_t>(front.width);
    for (size_t j = 0; j < count; ++j) {
      const bool is_column = place[j] < width;
      for (size_t c = 0; c < 3; ++c) {
        const double* source = from.data() + (3 * j + c) * 3 * count;
        double* target = is_column ? panel + (3 * place[j] + c) * height
                                   : update.data() + (3 * (place[j] - width) + c) * rows;
        const size_t shift = is_column ? 0 : 3 * width;
        for (size_t i = j; i < count; ++i) {
          double* to = target + 3 * place[i] - shift;
          for (size_t r = i == j ? c : 0; r < 3; ++r) to[r] += source[3 * i + r];
        }
      }
    }
  }

  void factorize_front(const Front& front, Update& update) {
    const int width = 3 * front.width, height = 3 * front.height(), rows = height - width;
    double* panel = panel_of(front);
    if (static_cast<size_t>(height) <= kSmallFront) {
      const auto small_width = static_cast<size_t>(width), small_height = static_cast<size_t>(height);
      if (!factorize_small_front(small_width, small_height, panel, update.data())) is_failed_ = true;
      return;
    }
    int info = 0;
    dpotrf_("L", &width, panel, &height, &info, 1);
    if (info != 0) is_failed_ = true;
    if (rows == 0) return;
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, rows, width, 1.0, panel,
                height, panel + width, height);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, rows, width, -1.0, panel + width, height, 1.0,
                update.data(), rows);
  }

  // The same in tiles: block columns one after the other, the tiles of each side by side.
  void factorize_tiles(const Front& front, Update& update) {
    const int width = 3 * front.width, height = 3 * front.height(), rows = height - width;
    double* panel = panel_of(front);
    for (int k = 0; k < width; k += kTile) {
      const int size = std::min(kTile, width - k), below = k + size;
      double* diagonal = panel + static_cast<size_t>(k) * height + k;
      int info = 0;
      dpotrf_("L", &size, diagonal, &height, &info, 1);
      if (info != 0) is_failed_ = true;
      const auto tiles = static_cast<size_t>((height - below + kTile - 1) / kTile);
      exec::parallel_for(
          "linear.tiles", tiles,
          [&](size_t tile) {
            const int row = below + static_cast<int>(tile) * kTile, count = std::min(kTile, height - row);
            cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, count, size, 1.0,
                        diagonal, height, panel + static_cast<size_t>(k) * height + row, height);
          },
          1);
      // The later columns of the panel.
      const auto columns = static_cast<size_t>((width - below + kTile - 1) / kTile);
      exec::parallel_for(
          "linear.tiles", columns,
          [&](size_t tile) {
            const int column = below + static_cast<int>(tile) * kTile;
            const int count = std::min(kTile, width - column);
            const double* left = panel + static_cast<size_t>(k) * height;
            cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, height - column, count, size, -1.0,
                        left + column, height, left + column, height, 1.0,
                        panel + static_cast<size_t>(column) * height + column, height);
          },
          1);
    }
    if (rows == 0) return;
    exec::parallel_for(
        "linear.tiles", static_cast<size_t>((rows + kTile - 1) / kTile),
        [&](size_t tile) {
          const int column = static_cast<int>(tile) * kTile, count = std::min(kTile, rows - column);
          const double* left = panel + width + column;
          double* to = update.data() + static_cast<size_t>(column) * rows + column;
          cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, rows - column, count, width, -1.0, left,
                      height, left, height, 1.0, to, rows);
        },
        1);
  }

  void solve_forward(const Front& front, VecX& part, VecX& y) {
    const int width = 3 * front.width, height = 3 * front.height(), rows = height - width;
    const double* panel = panel_of(front);
    double* own = y.data() + 3 * front.first;
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, width, panel, height, own, 1);
    if (rows == 0) return;
    part.resize(rows);
    cblas_dgemv(CblasColMajor, CblasNoTrans, rows, width, 1.0, panel + width, height, own, 1, 0.0,
                part.data(), 1);
    for (size_t i = 0; i < front.rows.size(); ++i) {
      y.segment<3>(3 * front.rows[i]) -= part.segment<3>(3 * static_cast<Index>(i));
    }
  }

  void solve_backward(const Front& front, VecX& part, VecX& y) {
    const int width = 3 * front.width, height = 3 * front.height(), rows = height - width;
    const double* panel = panel_of(front);
    double* own = y.data() + 3 * front.first;
    if (rows > 0) {
      part.resize(rows);
      for (size_t i = 0; i < front.rows.size(); ++i) {
        part.segment<3>(3 * static_cast<Index>(i)) = y.segment<3>(3 * front.rows[i]);
      }
      cblas_dgemv(CblasColMajor, CblasTrans, rows, width, -1.0, panel + width, height, part.data(), 1, 1.0,
                  own, 1);
    }
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, width, panel, height, own, 1);
  }

  FrontTree tree_;
  FactorCost cost_;
  MatrixColumns matrix_;
  std::uint64_t version_ = 0;
  std::vector<Index> order_;  // of the nodes, and
  std::uint64_t order_version_ = 0;
  BlockPattern ordered_;  // the pattern it was made for
  double order_work_ = 0;
  bool is_order_old_ = true;
  std::vector<double> factor_;
  std::vector<Update> updates_;
  std::atomic<bool> is_failed_{false}, is_too_large_{false};
};

}  // namespace

std::unique_ptr<LinearSolver> make_multifrontal_solver() { return std::make_unique<MultifrontalSolver>(); }

}  // namespace marrow
