#include "linalg/outer_products.h"

#include <algorithm>

#include "core/macros.h"
#include "linalg/outer_products_kernel.h"

namespace marrow {
namespace {

constexpr size_t kMostColumns = 64;  // kept before they are added

using Add = void (*)(const outer_products::Arguments&);

Add choose_add() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    return outer_products::add_avx512;
  }
  return __builtin_cpu_supports("avx2") ? outer_products::add_avx2 : outer_products::add_portable;
}

}  // namespace

void OuterProducts::start(size_t node_count) {
  constexpr size_t kPadding = outer_products::kPadding;
  node_count_ = node_count;
  size_ = (3 * node_count + kPadding - 1) / kPadding * kPadding;
  column_count_ = 0;
  is_empty_ = true;
  columns_.resize(size_ * kMostColumns);
  sum_.resize(size_ * size_);
}

std::span<Vec3> OuterProducts::add_column() {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  if (column_count_ == kMostColumns) flush();
  double* column = columns_.data() + size_ * column_count_++;
  std::fill(column + 3 * node_count_, column + size_, 0.0);
  return {reinterpret_cast<Vec3*>(column), node_count_};
}

void OuterProducts::flush() {
  static const Add add = choose_add();
  add({size_, column_count_, columns_.data(), is_empty_, sum_.data()});
  is_empty_ = false;
  column_count_ = 0;
}

void OuterProducts::write(std::span<Mat3> blocks) {
  MARROW_ASSERT(blocks.size() == node_count_ * (node_count_ + 1) / 2);
  flush();
  const auto stride = static_cast<Index>(size_);
  size_t at = 0;
  for (size_t a = 0; a < node_count_; ++a) {
    for (size_t b = a; b < node_count_; ++b) {
      // Block (a, b) is the transpose of (b, a), which lies below the diagonal.
      const double* first = sum_.data() + 3 * a * size_ + 3 * b;
      blocks[at++] =
          Eigen::Map<const Mat3, 0, Eigen::OuterStride<>>(first, Eigen::OuterStride<>(stride)).transpose();
    }
  }
}

}  // namespace marrow
