// What the tests of the line search move on.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "solve/line_search.h"

namespace marrow::test {

// ½|n|² unless a test says otherwise.
class Ground final : public Potential {
 public:
  std::function<double(const VecX&)> value = [](const VecX& n) { return 0.5 * n.squaredNorm(); };
  std::function<VecX(const VecX&)> gradient = [](const VecX& n) { return n; };
  std::function<StepLimit(const NodePath&)> limit = [](const NodePath&) { return StepLimit{}; };
  double magnitude = 1;  // of the numbers that cancel

  const char* name() const override { return "ground"; }
  double compute_value(const VecX& n) const override { return value(n); }
  double compute_magnitude(const VecX&) const override { return magnitude; }
  void add_gradient(const VecX& n, double weight, VecX& g) override { g += weight * gradient(n); }
  const StencilGroup* update_hessian(const VecX&, double) override { return nullptr; }
  StepLimit compute_step_limit(const NodePath& path) const override { return limit(path); }
};

// An objective of one such potential, and every place it was told of.
struct Search {
  Ground ground;
  Objective objective;
  std::vector<VecX> told;

  explicit Search(Index nodes = 1) : objective(nodes) {
    objective.add_term(ground, 1);
    objective.set_observer([this](const VecX& n) { told.push_back(n); });
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  double value(const VecX& n) const { return objective.compute_value(n).value; }
  double rounding(const VecX& n) const { return objective.compute_value(n).rounding; }
  double slope(const NodePath& path) { return ground.gradient(path.start).dot(path.direction); }
  Beginning begin(const VecX& n, double slope) const { return {objective.compute_value(n), slope}; }
  StepLength move(const NodePath& path, VecX& n) {
    return search_and_move(objective, begin(n, slope(path)), path, n);
  }

  void expect_told(const VecX& n) const {
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0], n);
  }
};

inline NodePath make_path(const VecX& start, const VecX& direction) { return {start, direction, {}}; }

}  // namespace marrow::test
