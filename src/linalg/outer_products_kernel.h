// The text of the sums, compiled once per instruction set (outer_products_*.cpp). Every entry is summed in
// the order of the columns, so the width of the registers does not change a bit.
#pragma once

#include <cstddef>

namespace marrow::outer_products {

inline constexpr size_t kPadding = 24;  // the size of the matrix is a multiple of this

struct Arguments {
  size_t size;   // rows of a column, and of the sum
  size_t count;  // columns
  const double* columns;
  bool is_first;  // sum is to be set, not added to
  double* sum;    // column by column; what is above the diagonal may be left out
};

// Values: a vector of GCC. A tile of the sum is kRows vectors by kColumns numbers, which fits the registers.
template <class Values, size_t kRows, size_t kColumns>
inline void add_tile(const Arguments& a, size_t row, size_t column) {
  constexpr size_t kWidth = sizeof(Values) / sizeof(double);
  Values tile[kColumns][kRows];
  for (size_t j = 0; j < kColumns; ++j) {
    for (size_t i = 0; i < kRows; ++i) {
      tile[j][i] = Values{};
      if (a.is_first) continue;
      __builtin_memcpy(&tile[j][i], a.sum + (column + j) * a.size + row + i * kWidth, sizeof(Values));
    }
  }
  for (size_t k = 0; k < a.count; ++k) {
    const double* r = a.columns + k * a.size;
    Values own[kRows];
    for (size_t i = 0; i < kRows; ++i) __builtin_memcpy(&own[i], r + row + i * kWidth, sizeof(Values));
    for (size_t j = 0; j < kColumns; ++j) {
      const Values other = Values{} + r[column + j];
      for (size_t i = 0; i < kRows; ++i) tile[j][i] += own[i] * other;
    }
  }
  for (size_t j = 0; j < kColumns; ++j) {
    for (size_t i = 0; i < kRows; ++i) {
      __builtin_memcpy(a.sum + (column + j) * a.size + row + i * kWidth, &tile[j][i], sizeof(Values));
    }
  }
}

template <class Values, size_t kRows, size_t kColumns>
inline void add(const Arguments& a) {
  constexpr size_t kHeight = kRows * sizeof(Values) / sizeof(double);
  static_assert(kPadding % kHeight == 0 && kPadding % kColumns == 0);
  for (size_t column = 0; column < a.size; column += kColumns) {
    for (size_t row = column / kHeight * kHeight; row < a.size; row += kHeight) {
      add_tile<Values, kRows, kColumns>(a, row, column);
    }
  }
}

void add_portable(const Arguments& a);
void add_avx2(const Arguments& a);
void add_avx512(const Arguments& a);

}  // namespace marrow::outer_products
