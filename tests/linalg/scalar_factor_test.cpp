// The constant factor: solutions, forms, and numbers that change in the same places.
#include "linalg/scalar/scalar_factor.h"

#include <gtest/gtest.h>

namespace marrow {
namespace {

// A chain of springs and a mass on each node; with far > 0 every node is tied to all others.
ScalarMatrix make_matrix(Index size, double far, double mass) {
  std::vector<Triplet> triplets;
  const auto tie = [&](Index i, Index j, double k) {
    triplets.insert(triplets.end(), {{i, i, k}, {j, j, k}, {i, j, -k}, {j, i, -k}});
  };
  for (Index i = 0; i < size; ++i) {
    triplets.push_back({i, i, mass});
    if (i > 0) tie(i - 1, i, 1 + 0.1 * i);
    for (Index j = 0; far > 0 && j < i; ++j) tie(j, i, far / (1 + i - j));
  }
  return build_scalar_matrix(size, size, std::move(triplets));
}

void expect_solution(const ScalarMatrix& A, ScalarFactor& factor) {
  VecX b(3 * A.rows()), x, back;
  for (Index i = 0; i < b.size(); ++i) b[i] = std::sin(1.0 + i);
  factor.solve(b, x);
  multiply(A, x, back);
  EXPECT_LT((back - b).lpNorm<Eigen::Infinity>(), 1e-9);
}

}  // namespace

TEST(ScalarFactor, full_matrices_are_inverted_and_sparse_ones_factorised) {
  for (const double far : {0.0, 0.3}) {
    const ScalarMatrix A = make_matrix(200, far, 0.5);
    ScalarFactor factor;
    ASSERT_TRUE(factor.factorize(A));
    EXPECT_EQ(factor.is_dense(), far > 0);
    EXPECT_EQ(factor.size(), 200);
    expect_solution(A, factor);
  }
}

TEST(ScalarFactor, reads_fewer_bytes_of_a_sparse_matrix) {
  ScalarFactor sparse, dense;
  ASSERT_TRUE(sparse.factorize(make_matrix(500, 0, 1)));
  ASSERT_TRUE(dense.factorize(make_matrix(500, 0.1, 1)));
  EXPECT_LT(20 * sparse.bytes(), dense.bytes());
}

TEST(ScalarFactor, other_numbers_in_the_same_places) {
  for (const double far : {0.0, 0.3}) {
    ScalarFactor factor;
    ASSERT_TRUE(factor.factorize(make_matrix(150, far, 0.5)));
    const ScalarMatrix A = make_matrix(150, far, 3);
    ASSERT_TRUE(factor.update(A));
    expect_solution(A, factor);
  }
}

TEST(ScalarFactor, a_matrix_that_is_not_positive_definite_is_refused) {
  for (const double far : {0.0, 0.3}) {
    ScalarFactor factor;
    EXPECT_FALSE(factor.factorize(make_matrix(60, far, -1)));
  }
}

TEST(ScalarFactor, nothing_to_solve) {
  ScalarFactor factor;
  ASSERT_TRUE(factor.factorize(build_scalar_matrix(0, 0, {})));
  VecX x;
  factor.solve(VecX(), x);
  EXPECT_EQ(x.size(), 0);
}

}  // namespace marrow
