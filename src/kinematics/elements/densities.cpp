#include "kinematics/elements/densities.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace marrow {
namespace {

constexpr int kMostSteps = 200;  // Newton's; a dozen are usual
constexpr int kMostHalvings = 60;
constexpr double kBalanced = 1e-12;  // what may be left of the constraints, relative to volume and size
constexpr double kShift = 1e-12;     // of the Hessian, relative: it is singular while all tets are at a bound

using Mat4 = Eigen::Matrix4d;

// The dual and its derivatives at a.
struct Dual {
  double value = 0;
  Vec4 gradient = Vec4::Zero();  // what is left of the constraints
  Mat4 hessian = Mat4::Zero();
};

class Balance {
 public:
  Balance(const std::vector<TetMass>& tets, double total, const Vec3& center, double least, double most)
      : tets_(tets), least_(least), most_(most) {
    double size = 0;
    for (const TetMass& tet : tets) {
      volume_ += tet.volume;
      size = std::max(size, (tet.center - center).norm());
    }
    for (const TetMass& tet : tets) {
      const Vec3 arm = (tet.center - center) / size;
      arms_.emplace_back(1, arm[0], arm[1], arm[2]);
    }
    wanted_ = Vec4(total / volume_, 0, 0, 0);
  }

  std::vector<double> densities(const Vec4& a) const {
    std::vector<double> s;
    for (const Vec4& arm : arms_) s.push_back(std::clamp(1 + a.dot(arm), least_, most_));
    return s;
  }

  Dual evaluate(const Vec4& a) const {
    Dual dual;
    dual.gradient = -wanted_;
    dual.value = -a.dot(wanted_);
    for (size_t t = 0; t < tets_.size(); ++t) {
      const double share = tets_[t].volume / volume_, u = a.dot(arms_[t]),
                   s = std::clamp(1 + u, least_, most_);
      dual.value += share * (u * s - 0.5 * (s - 1) * (s - 1));
      dual.gradient += share * s * arms_[t];
      if (s == 1 + u) dual.hessian += share * arms_[t] * arms_[t].transpose();
    }
    return dual;
  }

 private:
  const std::vector<TetMass>& tets_;
  double least_, most_, volume_ = 0;
  std::vector<Vec4> arms_;
  Vec4 wanted_;
};

}  // namespace

std::vector<double> balance_densities(const std::vector<TetMass>& tets, double total, const Vec3& center,
                                      double least, double most) {
  const Balance balance(tets, total, center, least, most);
  Vec4 a = Vec4::Zero();
  Dual dual = balance.evaluate(a);
  for (int step = 0; step < kMostSteps; ++step) {
    if (dual.gradient.cwiseAbs().maxCoeff() <= kBalanced) return balance.densities(a);
    const Mat4 H = dual.hessian + (dual.hessian.trace() + 1) * kShift * Mat4::Identity();
    const Vec4 move = -H.ldlt().solve(dual.gradient);
    double length = 1;
    Dual next;
    bool falls = false;
    for (int k = 0; k < kMostHalvings && !falls; ++k, length /= 2) {
      next = balance.evaluate(a + length * move);
      falls = next.value < dual.value ||
              next.gradient.cwiseAbs().maxCoeff() < 0.5 * dual.gradient.cwiseAbs().maxCoeff();
      if (falls) a += length * move;
    }
    if (!falls) break;
    dual = next;
  }
  // Rounding ends the descent; nothing within the bounds leaves much more.
  return dual.gradient.cwiseAbs().maxCoeff() <= 1e3 * kBalanced ? balance.densities(a)
                                                                : std::vector<double>();
}

}  // namespace marrow
