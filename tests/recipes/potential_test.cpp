#include "potentials/potential.h"

#include "potentials/potential_battery.h"

namespace marrow {
namespace {

// [recipe
// A spring from each of some nodes to a fixed place: E = ½ k Σᵢ |nᵢ − aᵢ|².
class Tether final : public Potential {
 public:
  Tether(double stiffness, std::vector<Index> nodes, Points places, Index node_count)
      : stiffness_(stiffness), nodes_(std::move(nodes)), places_(std::move(places)) {
    std::vector<Index> offsets(nodes_.size() + 1);  // one node per stencil
    for (size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<Index>(i);
    group_.set_stencils(offsets, nodes_, node_count);
  }

  const char* name() const override { return "tether"; }
  double compute_value(const VecX& n) const override {
    return exec::parallel_sum("tether.value", nodes_.size(),
                              [&](size_t i) { return 0.5 * stiffness_ * arm(n, i).squaredNorm(); });
  }
  // n and a cancel in the arm: its rounding is that of the larger.
  double compute_magnitude(const VecX& n) const override {
    return exec::parallel_sum("tether.magnitude", nodes_.size(), [&](size_t i) {
      return stiffness_ * arm(n, i).norm() * (n.segment<3>(3 * nodes_[i]).norm() + places_[i].norm());
    });
  }
  void add_gradient(const VecX& n, double weight, VecX& g) override {
    exec::parallel_for("tether.gradient", nodes_.size(),
                       [&](size_t i) { group_.gradient_of(i)[0] = weight * stiffness_ * arm(n, i); });
    group_.add_gradient(g);
  }
  const StencilGroup* update_hessian(const VecX& /*n*/, double weight) override {
    for (Mat3& block : group_.blocks) block = weight * stiffness_ * Mat3::Identity();
    return &group_;
  }

 private:
  Vec3 arm(const VecX& n, size_t i) const { return Vec3(n.segment<3>(3 * nodes_[i])) - places_[i]; }

  double stiffness_;
  std::vector<Index> nodes_;
  Points places_;
  StencilGroup group_;
};
// recipe]

TEST(Recipe, a_potential_passes_the_battery) {
  Tether tether(250, {0, 2, 3}, {{0, 1, 0}, {2, 0, 0}, {0, 0, -1}}, 4);
  const VecX n = battery::random_vector(12, 1, 5);
  battery::check_all(tether, n, {}, true);
  // The forces are those of springs, and node 1 has none.
  const VecX g = battery::gradient_of(tether, n);
  EXPECT_LT((Vec3(g.segment<3>(6)) - 250 * (Vec3(n.segment<3>(6)) - Vec3(2, 0, 0))).norm(), 1e-12);
  EXPECT_EQ(g.segment<3>(3).norm(), 0);
}

}  // namespace
}  // namespace marrow
