#include "linalg/assembly.h"

#include <gtest/gtest.h>

#include <random>

#include "exec/parallel.h"
#include "linalg/scalar_matrix.h"

namespace marrow {
namespace {

// Random stencils of 1 to 5 nodes, some with a repeated node, with random symmetric local Hessians.
struct RandomGroup {
  StencilGroup group;
  MatX dense;
  VecX gradient;
};

RandomGroup make_group(Index node_count, int stencils, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Index> offsets = {0}, nodes;
  for (int e = 0; e < stencils; ++e) {
    const int size = 1 + static_cast<int>(random() % 5);
    for (int k = 0; k < size; ++k) nodes.push_back(static_cast<Index>(random() % node_count));
    offsets.push_back(static_cast<Index>(nodes.size()));
  }
  RandomGroup result;
  result.group.set_stencils(offsets, nodes, node_count);
  result.dense = MatX::Zero(3 * node_count, 3 * node_count);
  result.gradient = VecX::Zero(3 * node_count);
  for (size_t e = 0; e < result.group.stencil_count(); ++e) {
    const auto ids = result.group.nodes_of(e);
    const Index size = static_cast<Index>(ids.size());
    MatX local(3 * size, 3 * size);
    for (Index i = 0; i < local.size(); ++i) local(i) = normal(random);
    local = (local + local.transpose()).eval();
    size_t at = 0;
    for (Index a = 0; a < size; ++a) {
      result.group.gradient_of(e)[a] = Vec3(normal(random), normal(random), normal(random));
      result.gradient.segment<3>(3 * ids[a]) += result.group.gradient_of(e)[a];
      for (Index b = 0; b < size; ++b) {
        result.dense.block<3, 3>(3 * ids[a], 3 * ids[b]) += local.block<3, 3>(3 * a, 3 * b);
        if (b >= a) result.group.blocks_of(e)[at++] = local.block<3, 3>(3 * a, 3 * b);
      }
    }
  }
  return result;
}

}  // namespace

TEST(Assembly, equals_the_dense_sum_with_repeated_nodes_and_several_groups) {
  const Index n = 40;
  RandomGroup first = make_group(n, 60, 1), second = make_group(n, 25, 2);
  BlockAssembler assembler;
  BlockMatrix A;
  const StencilGroup* groups[] = {&first.group, &second.group};
  assembler.assemble(groups, n, A);
  EXPECT_LE((to_dense(A) - first.dense - second.dense).norm(), 1e-12 * first.dense.norm());
  VecX g = VecX::Zero(3 * n);
  first.group.add_gradient(g);
  second.group.add_gradient(g);
  EXPECT_LE((g - first.gradient - second.gradient).norm(), 1e-12 * g.norm());
}

TEST(Assembly, a_split_stencil_couples_its_two_parts_only) {
  StencilGroup group;
  group.set_stencils({0, 3, 5}, {4, 1, 2, 3, 0}, 5, {2, 0});
  ASSERT_EQ(group.blocks_of(0).size(), 2u);  // (4, 2) and (1, 2)
  ASSERT_EQ(group.blocks_of(1).size(), 3u);
  MatX dense = MatX::Zero(15, 15);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const std::array<std::pair<Index, Index>, 5> places = {{{4, 2}, {1, 2}, {3, 3}, {3, 0}, {0, 0}}};
  for (size_t k = 0; k < places.size(); ++k) {
    Mat3 block;
    for (double& value : block.reshaped()) value = normal(random);
    const auto [row, column] = places[k];
    if (row == column) block = (block + block.transpose()).eval();
    group.blocks[k] = block;
    dense.block<3, 3>(3 * row, 3 * column) = block;
    dense.block<3, 3>(3 * column, 3 * row) = block.transpose();
  }
  BlockAssembler assembler;
  BlockMatrix A;
  const StencilGroup* groups[] = {&group};
  assembler.assemble(groups, 5, A);
  EXPECT_EQ(to_dense(A), dense);
  EXPECT_EQ(A.blocks.size(), 5u + 3u);  // the diagonal, and no block (4, 1)
}

TEST(Assembly, pattern_version_changes_only_with_the_blocks) {
  const Index n = 30;
  RandomGroup first = make_group(n, 40, 1), same = make_group(n, 40, 1), other = make_group(n, 50, 3);
  BlockAssembler assembler;
  BlockMatrix A;
  const StencilGroup* groups[] = {&first.group};
  assembler.assemble(groups, n, A);
  const auto version = A.pattern.version;
  assembler.assemble(groups, n, A);
  EXPECT_EQ(A.pattern.version, version);
  groups[0] = &same.group;  // other object, same couplings: analysis is kept
  assembler.assemble(groups, n, A);
  EXPECT_EQ(A.pattern.version, version);
  groups[0] = &other.group;
  assembler.assemble(groups, n, A);
  EXPECT_NE(A.pattern.version, version);
  EXPECT_LE((to_dense(A) - other.dense).norm(), 1e-12 * other.dense.norm());
}

TEST(Assembly, same_bits_on_any_number_of_threads) {
  const Index n = 2000;
  RandomGroup random = make_group(200, 20000, 8);
  std::vector<std::vector<Mat3>> results;
  for (const int threads : {1, 2, 4}) {
    exec::set_thread_count(threads);
    BlockAssembler assembler;
    BlockMatrix A;
    const StencilGroup* groups[] = {&random.group};
    assembler.assemble(groups, n, A);
    results.push_back(A.blocks);
  }
  exec::set_thread_count(0);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Assembly, product_equals_the_dense_one_and_elimination_leaves_identity) {
  const Index n = 25;
  RandomGroup random = make_group(n, 60, 4);
  BlockAssembler assembler;
  BlockMatrix A;
  const StencilGroup* groups[] = {&random.group};
  assembler.assemble(groups, n, A);
  const VecX x = VecX::LinSpaced(3 * n, -1, 2);
  VecX y;
  multiply(A, x, y);
  EXPECT_LE((y - random.dense * x).norm(), 1e-12 * y.norm());

  std::vector<char> eliminated(static_cast<size_t>(n), 0);
  eliminated[3] = eliminated[24] = 1;
  eliminate_nodes(eliminated, A);
  const MatX dense = to_dense(A);
  for (const Index node : {3, 24}) {
    const MatX rows = dense.block(3 * node, 0, 3, 3 * n);
    EXPECT_EQ(rows.norm(), std::sqrt(3.0));
    EXPECT_EQ(Mat3(rows.block<3, 3>(0, 3 * node)), Mat3(Mat3::Identity()));
  }
}

TEST(ScalarMatrix, products_and_lumping) {
  const ScalarMatrix A = build_scalar_matrix(2, 3, {{0, 0, 1}, {1, 2, 2}, {0, 1, 3}, {0, 0, 4}});
  EXPECT_EQ(A.values, (std::vector<double>{5, 3, 2}));
  const ScalarMatrix AtA = multiply_transposed(A, A);
  EXPECT_EQ(AtA.rows(), 3);
  EXPECT_EQ(AtA.values, (std::vector<double>{25, 15, 15, 9, 4}));
  const ScalarMatrix lumped = lump_rows(A);
  EXPECT_EQ(lumped.values, (std::vector<double>{8, 2}));
  VecX x(9), y;
  x << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  multiply(A, x, y);
  EXPECT_EQ(y, (VecX(6) << 17, 25, 33, 14, 16, 18).finished());
}

}  // namespace marrow
