#include "linalg/outer_products.h"

#include <gtest/gtest.h>

#include <random>

#include "linalg/outer_products_kernel.h"

namespace marrow {
namespace {

VecX make_column(size_t node_count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  VecX column(3 * static_cast<Index>(node_count));
  for (double& value : column) value = number(random);
  return column;
}

}  // namespace

TEST(OuterProducts, are_summed_over_any_number_of_columns_and_nodes) {
  OuterProducts sum;
  for (const size_t node_count : {1, 4, 7, 8, 9, 20}) {
    for (const unsigned column_count : {0U, 1U, 63U, 64U, 65U, 200U}) {
      MatX expected = MatX::Zero(3 * static_cast<Index>(node_count), 3 * static_cast<Index>(node_count));
      sum.start(node_count);
      for (unsigned k = 0; k < column_count; ++k) {
        const VecX column = make_column(node_count, k);
        expected += column * column.transpose();
        const std::span<Vec3> place = sum.add_column();
        for (size_t i = 0; i < node_count; ++i) place[i] = column.segment<3>(3 * static_cast<Index>(i));
      }
      std::vector<Mat3> blocks(node_count * (node_count + 1) / 2);
      sum.write(blocks);
      size_t at = 0;
      for (size_t a = 0; a < node_count; ++a) {
        for (size_t b = a; b < node_count; ++b) {
          const Mat3 block = expected.block<3, 3>(3 * static_cast<Index>(a), 3 * static_cast<Index>(b));
          ASSERT_LT((blocks[at++] - block).norm(), 1e-12 * (1 + column_count));
        }
      }
    }
  }
}

TEST(OuterProducts, are_the_same_bits_with_all_instructions) {
  constexpr size_t kSize = 2 * outer_products::kPadding, kCount = 50;
  std::vector<double> columns;
  for (unsigned k = 0; k < kCount; ++k) {
    const VecX column = make_column(kSize / 3, k);
    columns.insert(columns.end(), column.begin(), column.end());
  }
  const auto add_with = [&](void (*add)(const outer_products::Arguments&)) {
    std::vector<double> sum(kSize * kSize, 0);
    add({kSize, kCount, columns.data(), true, sum.data()});
    add({kSize, kCount, columns.data(), false, sum.data()});
    for (size_t j = 0; j < kSize; ++j) {
      for (size_t i = 0; i < j; ++i) sum[j * kSize + i] = 0;  // above the diagonal anything may be
    }
    return sum;
  };
  const std::vector<double> portable = add_with(outer_products::add_portable);
  EXPECT_GT(portable[0], 0);
  if (__builtin_cpu_supports("avx2")) {
    EXPECT_EQ(add_with(outer_products::add_avx2), portable);
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    EXPECT_EQ(add_with(outer_products::add_avx512), portable);
  }
}

}  // namespace marrow
