// Dense Cholesky of small systems, part by part: nodes that no block couples, as those that are held or
// bodies that do not touch, are solved on their own. The cost goes with the cube of the largest part.
#include <Eigen/Cholesky>
#include <numeric>

#include "core/trace.h"
#include "linalg/linear_solver.h"

namespace marrow {
namespace {

class DenseSolver final : public LinearSolver {
 public:
  LinearStatus factorize(const BlockMatrix& A) override {
    const trace::Scope scope("linear.factorize");
    find_parts(A);
    for (Part& part : parts_) part.matrix.setZero(3 * part.size, 3 * part.size);
    for (Index j = 0; j < A.node_count(); ++j) {
      MatX& matrix = parts_[part_of_[j]].matrix;
      for (Index s = A.pattern.column_offsets[j]; s < A.pattern.column_offsets[j + 1]; ++s) {
        // Blocks between two parts are zero. Only the lower triangle is read.
        const Index i = A.pattern.rows[s];
        if (part_of_[i] != part_of_[j]) continue;
        matrix.block<3, 3>(3 * place_[i], 3 * place_[j]) = A.blocks[s];
      }
    }
    for (Part& part : parts_) {
      part.factor.compute(part.matrix);
      if (part.factor.info() != Eigen::Success) return LinearStatus::NotPositiveDefinite;
    }
    return LinearStatus::Solved;
  }

  LinearStatus solve(const VecX& b, VecX& x) override {
    const trace::Scope scope("linear.solve");
    x.resize(b.size());
    const Index count = static_cast<Index>(part_of_.size());
    for (Part& part : parts_) part.values.resize(3 * part.size);
    for (Index i = 0; i < count; ++i) {
      parts_[part_of_[i]].values.segment<3>(3 * place_[i]) = b.segment<3>(3 * i);
    }
    for (Part& part : parts_) part.factor.solveInPlace(part.values);
    for (Index i = 0; i < count; ++i) {
      x.segment<3>(3 * i) = parts_[part_of_[i]].values.segment<3>(3 * place_[i]);
    }
    return LinearStatus::Solved;
  }

 private:
  struct Part {
    Index size = 0;  // nodes
    MatX matrix;
    Eigen::LLT<MatX> factor;
    VecX values;
  };

  // Numbers the parts by their first node, and the nodes in each in their order.
  void find_parts(const BlockMatrix& A) {
    const Index count = A.node_count();
    std::vector<Index> first(static_cast<size_t>(count));  // a node of the same part, at last the first
    std::iota(first.begin(), first.end(), 0);
    const auto find_first = [&](Index i) {
      while (first[i] != i) i = first[i] = first[first[i]];
      return i;
    };
    for (Index j = 0; j < count; ++j) {
      for (Index s = A.pattern.column_offsets[j]; s < A.pattern.column_offsets[j + 1]; ++s) {
        const Index a = find_first(A.pattern.rows[s]), b = find_first(j);
        if (a != b && A.blocks[s] != Mat3::Zero()) first[std::max(a, b)] = std::min(a, b);
      }
    }
    part_of_.resize(static_cast<size_t>(count));
    place_.resize(static_cast<size_t>(count));
    size_t parts = 0;
    for (Index i = 0; i < count; ++i) part_of_[i] = first[i] == i ? parts++ : part_of_[find_first(i)];
    parts_.resize(parts);
    for (Part& part : parts_) part.size = 0;
    for (Index i = 0; i < count; ++i) place_[i] = parts_[part_of_[i]].size++;
  }

  std::vector<size_t> part_of_;  // by node
  std::vector<Index> place_;     // within its part
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_dense_solver() { return std::make_unique<DenseSolver>(); }

}  // namespace marrow
