// Multifrontal Cholesky over 3×3 blocks, on all cores, the same bits on any number of them.
//
// Every front gathers its part of the matrix and its children's updates, in a fixed order, into a dense
// matrix and eliminates its columns, with OpenBLAS unless they are few, one thread a call. The fronts form a
// forest of tasks, side by side where they do not wait for each other; the few large fronts are cut into
// tiles of a fixed size. The triangular solves follow the same forest, upwards and downwards.
#include <cblas.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <new>

#include "core/memory.h"
#include "core/trace.h"
#include "exec/buckets.h"
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
// Tiles below each other that one product makes. [speed only]
constexpr int kRowTiles = 3;
// Rows of the panel that are multiplied by a vector at a time, if it has more than one such part; a multiple
// of what OpenBLAS's kernels take at once. [speed only]
constexpr int kVectorTile = 512;
// Factors of fewer numbers are solved on one thread: that takes about a nanosecond a number, a millisecond in
// all, in tasks of microseconds. On 16 threads the solves of 142 rings took 6.2 ms in tasks, 0.9 ms without.
// [speed only]
constexpr double kSmallFactor = 1e6;
// Updates of more numbers keep their memory for the next factorisation: fresh memory is slow to come, and
// threads wait for it. [speed only]
constexpr size_t kKeptUpdate = 4096;

// A block of the matrix in elimination order: in the lower triangle, its column the earlier one.
struct MatrixEntry {
  Index row;
  Index block;
  bool is_transposed;
};

// The blocks of every column.
using MatrixColumns = exec::Buckets<MatrixEntry>;

void sort_columns(const BlockPattern& pattern, const std::vector<Index>& position, MatrixColumns& columns) {
  const auto n = static_cast<size_t>(pattern.node_count());
  const auto visit = [&](size_t j, const auto& emit) {
    const Index column = position[j];
    for (Index k = pattern.column_offsets[j]; k < pattern.column_offsets[j + 1]; ++k) {
      const Index row = position[pattern.rows[k]];
      emit(std::min(row, column), MatrixEntry{std::max(row, column), k, row < column});
    }
  };
  exec::parallel_buckets("linear.columns", n, n, visit, columns);
}

// The update a front hands to its parent: the lower triangle over its rows.
using Update = std::vector<double>;

// Memory of updates that are done with, for those to come.
class UpdateStore {
 public:
  // Of this size; its numbers are anything.
  Update take(size_t size) {
    if (size > kKeptUpdate) {
      const std::lock_guard lock(mutex_);
      const auto found = free_.lower_bound(size);
      if (found != free_.end() && found->first <= 2 * size) {
        Update update = std::move(found->second);
        free_.erase(found);
        update.resize(size);
        return update;
      }
    }
    return Update(size);
  }

  void give_back(Update&& update) {
    Update given = std::move(update);
    if (given.capacity() <= kKeptUpdate) return;
    const std::lock_guard lock(mutex_);
    const size_t capacity = given.capacity();
    free_.emplace(capacity, std::move(given));
  }

  void clear() { free_.clear(); }

 private:
  std::mutex mutex_;
  std::multimap<size_t, Update> free_;  // by capacity
};

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
      exec::parallel_upwards("linear.fronts", tree_.task_parents, [&](size_t k) {
        try {
          const FrontTask& task = tree_.tasks[k];
          for (Index f = task.first; f <= task.last && !is_too_large_; ++f) eliminate(A, f);
        } catch (const std::bad_alloc&) {
          is_too_large_ = true;
        }
      });
      if (is_too_large_) throw std::bad_alloc();
      return is_failed_ ? LinearStatus::NotPositiveDefinite : LinearStatus::Solved;
    } catch (const std::bad_alloc&) {
      version_ = 0;
      updates_.clear();
      store_.clear();
      return LinearStatus::OutOfMemory;
    }
  }

  LinearStatus solve(const VecX& b, VecX& x) override {
    const trace::Scope scope("linear.solve");
    VecX y(b.size());
    kept_.resize(static_cast<size_t>(tree_.kept_count));
    exec::parallel_for("linear.permute", tree_.order.size(), [&](size_t k) {
      y.segment<3>(3 * static_cast<Index>(k)) = b.segment<3>(3 * tree_.order[k]);
    });
    const auto forward = [&](size_t k) { solve_forward(tree_.tasks[k], y); };
    const auto backward = [&](size_t k) {
      const FrontTask& task = tree_.tasks[k];
      for (Index f = task.last; f >= task.first; --f) solve_backward(tree_.fronts[f], y);
    };
    if (cost_.panels < kSmallFactor) {
      for (size_t k = 0; k < tree_.tasks.size(); ++k) forward(k);
      for (size_t k = tree_.tasks.size(); k-- > 0;) backward(k);
    } else {
      exec::parallel_upwards("linear.forward", tree_.task_parents, forward);
      exec::parallel_downwards("linear.backward", tree_.task_parents, backward);
    }
    x.resize(b.size());
    exec::parallel_for("linear.permute", tree_.order.size(), [&](size_t k) {
      x.segment<3>(3 * tree_.order[k]) = y.segment<3>(3 * static_cast<Index>(k));
    });
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
    sort_columns(pattern, tree_.position, matrix_);
    cost_ = count_cost(tree_);
    version_ = pattern.version;
  }

  double* panel_of(const Front& front) { return factor_.data() + front.panel; }

  void eliminate(const BlockMatrix& A, Index f) {
    const Front& front = tree_.fronts[f];
    const size_t rows = 3 * front.rows.size();
    Update& update = updates_[f] = store_.take(rows * rows);
    const auto width = static_cast<size_t>(front.width);
    std::vector<ChildPlaces> children;
    for (const Index child : tree_.children[f]) children.push_back(find_places(child, front));
    const auto fill = [&](size_t column) {
      if (column < width) {
        gather_column(A, front, static_cast<Index>(column));
      } else {
        const size_t first = 3 * (column - width);
        for (size_t c = first; c < first + 3; ++c)
          std::fill_n(update.data() + c * rows + first, rows - first, 0.0);
      }
      for (const ChildPlaces& child : children) add_child_column(child, front, column, update);
    };
    const size_t height = static_cast<size_t>(front.height());
    if (front.is_tiled) {
      exec::parallel_for("linear.gather", height, fill, 8);
      factorize_tiles(front, update);
    } else {
      for (size_t column = 0; column < height; ++column) fill(column);
      factorize_front(front, update);
    }
    for (const Index child : tree_.children[f]) store_.give_back(std::move(updates_[child]));
  }

  // A column of the front, of the matrix.
  void gather_column(const BlockMatrix& A, const Front& front, Index number) {
    const Index height = 3 * front.height(), end = front.first + front.width, column = front.first + number;
    double* panel = panel_of(front) + static_cast<size_t>(3 * number) * height;
    std::fill_n(panel, 3 * static_cast<size_t>(height), 0.0);
    for (Index k = matrix_.offsets[column]; k < matrix_.offsets[column + 1]; ++k) {
      const MatrixEntry& entry = matrix_.items[k];
      const Mat3& block = A.blocks[entry.block];
      const Index at = entry.row < end ? entry.row - front.first : front.width + find_row(front, entry.row);
      double* to = panel + 3 * at;
      for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) to[c * height + r] += entry.is_transposed ? block(c, r) : block(r, c);
      }
    }
  }

  static Index find_row(const Front& front, Index row) {
    return static_cast<Index>(std::lower_bound(front.rows.begin(), front.rows.end(), row) -
                              front.rows.begin());
  }

  // Where a child's rows are in its parent: among the parent's columns, then its rows; and the child's row at
  // each of those, or kNone.
  struct ChildPlaces {
    Index child;
    std::vector<Index> place, source;
  };

  ChildPlaces find_places(Index child, const Front& front) const {
    const std::vector<Index>& rows = tree_.fronts[child].rows;
    ChildPlaces places = {child, std::vector<Index>(rows.size()),
                          std::vector<Index>(static_cast<size_t>(front.height()), kNone)};
    size_t at = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] < front.first + front.width) {
        places.place[i] = rows[i] - front.first;
      } else {
        while (front.rows[at] != rows[i]) ++at;
        places.place[i] = front.width + static_cast<Index>(at);
      }
      places.source[static_cast<size_t>(places.place[i])] = static_cast<Index>(i);
    }
    return places;
  }

  // Adds a child's update to one column of its parent.
  void add_child_column(const ChildPlaces& child, const Front& front, size_t column, Update& update) {
    if (child.source[column] == kNone) return;
    const auto j = static_cast<size_t>(child.source[column]);
    const Update& from = updates_[child.child];
    const size_t count = child.place.size(), rows = 3 * front.rows.size();
    const auto width = static_cast<size_t>(front.width), height = static_cast<size_t>(3 * front.height());
    const bool is_column = column < width;
    const size_t shift = is_column ? 0 : 3 * width;
    for (size_t c = 0; c < 3; ++c) {
      const double* source = from.data() + (3 * j + c) * 3 * count;
      double* target = is_column ? panel_of(front) + (3 * column + c) * height
                                 : update.data() + (3 * (column - width) + c) * rows;
      for (size_t i = j; i < count; ++i) {
        double* to = target + 3 * static_cast<size_t>(child.place[i]) - shift;
        for (size_t r = i == j ? c : 0; r < 3; ++r) to[r] += source[3 * i + r];
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
      double* left = panel + static_cast<size_t>(k) * height;
      int info = 0;
      dpotrf_("L", &size, diagonal, &height, &info, 1);
      if (info != 0) is_failed_ = true;
      exec::parallel_for(
          "linear.tiles", count_tiles(height - below),
          [&](size_t tile) {
            const int row = below + static_cast<int>(tile) * kTile, count = std::min(kTile, height - row);
            cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, count, size, 1.0,
                        diagonal, height, left + row, height);
          },
          1);
      // The later columns of the panel.
      subtract_products({left + below, height, size}, width - below, height - below,
                        panel + static_cast<size_t>(below) * height + below, height);
    }
    if (rows > 0) subtract_products({panel + width, height, width}, rows, rows, update.data(), rows);
  }

  // Columns of a panel: height × size, as they lie in memory.
  struct Left {
    const double* data;
    int stride, size;
  };

  static size_t count_tiles(int length) { return static_cast<size_t>((length + kTile - 1) / kTile); }

  // to −= L Lᵀ, tile by tile, on and below the diagonal of its first columns.
  static void subtract_products(const Left& left, int columns, int height, double* to, int stride) {
    std::vector<std::array<int, 2>> tiles;  // first row and column, the tallest columns first
    for (int column = 0; column < columns; column += kTile) {
      for (int row = column; row < height; row += kRowTiles * kTile) tiles.push_back({row, column});
    }
    exec::parallel_for(
        "linear.tiles", tiles.size(),
        [&](size_t k) {
          const auto [row, column] = tiles[k];
          cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, std::min(kRowTiles * kTile, height - row),
                      std::min(kTile, columns - column), left.size, -1.0, left.data + row, left.stride,
                      left.data + column, left.stride, 1.0, to + static_cast<size_t>(column) * stride + row,
                      stride);
        },
        1);
  }

  void solve_forward(const FrontTask& task, VecX& y) {
    const Front &first = tree_.fronts[task.first], &last = tree_.fronts[task.last];
    const Index end = last.first + last.width;
    for (Index column = first.first; column < end; ++column) {
      for (Index k = tree_.kept_offsets[column]; k < tree_.kept_offsets[column + 1]; ++k) {
        y.segment<3>(3 * column) -= kept_[static_cast<size_t>(tree_.kept_sources[k])];
      }
    }
    for (Index f = task.first; f <= task.last; ++f) {
      const Front& front = tree_.fronts[f];
      const int width = 3 * front.width, height = 3 * front.height(), rows = height - width;
      const double* panel = panel_of(front);
      double* own = y.data() + 3 * front.first;
      cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, width, panel, height, own, 1);
      if (rows == 0) continue;
      thread_local VecX part;
      part.resize(rows);
      double* sum = part.data();
      for_vector_tiles(rows, [&](int row, int count) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, count, width, 1.0, panel + width + row, height, own, 1, 0.0,
                    sum + row, 1);
      });
      Index kept = tree_.kept_starts[f];
      for (size_t i = 0; i < front.rows.size(); ++i) {
        const auto of_row = part.segment<3>(3 * static_cast<Index>(i));
        if (front.rows[i] < end) {
          y.segment<3>(3 * front.rows[i]) -= of_row;
        } else {
          kept_[static_cast<size_t>(kept++)] = of_row;
        }
      }
    }
  }

  void solve_backward(const Front& front, VecX& y) {
    const int width = 3 * front.width, height = 3 * front.height(), rows = height - width;
    const double* panel = panel_of(front);
    double* own = y.data() + 3 * front.first;
    if (rows > 0) {
      thread_local VecX part;
      part.resize(rows);
      for (size_t i = 0; i < front.rows.size(); ++i) {
        part.segment<3>(3 * static_cast<Index>(i)) = y.segment<3>(3 * front.rows[i]);
      }
      const double* above = part.data();
      for_vector_tiles(width, [&](int column, int count) {
        cblas_dgemv(CblasColMajor, CblasTrans, rows, count, -1.0,
                    panel + static_cast<size_t>(column) * height + width, height, above, 1, 1.0, own + column,
                    1);
      });
    }
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, width, panel, height, own, 1);
  }

  template <class Body>
  static void for_vector_tiles(int length, const Body& body) {
    if (length <= kVectorTile) return body(0, length);
    exec::parallel_for(
        "linear.vectors", static_cast<size_t>((length + kVectorTile - 1) / kVectorTile),
        [&](size_t tile) {
          const int first = static_cast<int>(tile) * kVectorTile;
          body(first, std::min(kVectorTile, length - first));
        },
        1);
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
  std::vector<Update> updates_;  // by front
  UpdateStore store_;
  std::vector<Vec3> kept_;  // FrontTree::kept_sources
  std::atomic<bool> is_failed_{false}, is_too_large_{false};
};

}  // namespace

std::unique_ptr<LinearSolver> make_multifrontal_solver() { return std::make_unique<MultifrontalSolver>(); }

}  // namespace marrow
