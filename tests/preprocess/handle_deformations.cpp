#include "preprocess/handle_deformations.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "math/rotation.h"
#include "mesh/point_box.h"

namespace marrow {
namespace {

using PointMap = std::function<Vec3(const Vec3&)>;

class NodeDeformer {
 public:
  NodeDeformer(const MedialRest& rest, unsigned seed) : rest_(rest), random_(seed) {
    for (const Vec3& x : rest.surface.points) box_.extend(x);
    size_ = box_.diagonal().norm();
    box_.sizes().maxCoeff(&long_);
  }

  VecX apply(Deformation deformation, double t) {
    if (deformation == Deformation::Wild) return go_wild(t);
    const PointMap map = choose(deformation, t);
    VecX n(3 * static_cast<Eigen::Index>(rest_.nodes.size()));
    for (size_t i = 0; i < rest_.nodes.size(); ++i)
      n.segment<3>(3 * static_cast<Eigen::Index>(i)) = map(rest_.nodes[i]);
    return n;
  }

 private:
  double draw(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  Vec3 direction() {
    std::normal_distribution<double> normal;
    return Vec3(normal(random_), normal(random_), normal(random_)).normalized();
  }

  PointMap choose(Deformation deformation, double t) {
    const Vec3 center = box_.center();
    const Mat3 turn = rotation_from_vector(draw(0, 3) * direction());
    const Vec3 shift = draw(0, 5) * size_ * direction();
    const auto move = [=](const Vec3& x) -> Vec3 { return center + shift + turn * (x - center); };
    if (deformation == Deformation::Rigid) return move;
    if (deformation == Deformation::Stretch) {
      Mat3 F = Mat3::Identity();
      for (int k = 0; k < 9; ++k) F(k % 3, k / 3) += t * draw(-0.5, 0.5);
      return [=](const Vec3& x) -> Vec3 { return move(center + F * (x - center)); };
    }
    if (deformation == Deformation::Wave) return make_wave(t, move);
    const double angle = t * draw(0.5, 1) * (deformation == Deformation::Fold ? 8 : 3);
    return deformation == Deformation::Twist ? make_twist(angle, move) : make_bend(angle, move);
  }

  // Along the longest side, about the next axis; by more than 2π the ends meet.
  PointMap make_bend(double angle, const PointMap& move) const {
    const Vec3 center = box_.center();
    const int u = long_, v = (long_ + 1) % 3;
    const double length = std::max(box_.sizes()[u], 1e-3 * size_),
                 radius = length / std::max(std::abs(angle), 1e-6);
    return [=](const Vec3& x) -> Vec3 {
      const Vec3 X = x - center;
      const double phi = X[u] / radius;
      Vec3 y = X;
      y[u] = (radius - X[v]) * std::sin(phi);
      y[v] = radius - (radius - X[v]) * std::cos(phi);
      return move(center + y);
    };
  }

  PointMap make_twist(double angle, const PointMap& move) const {
    const Vec3 center = box_.center();
    const Vec3 axis = Vec3::Unit(long_);
    const double length = std::max(box_.sizes()[long_], 1e-3 * size_);
    return [=](const Vec3& x) -> Vec3 {
      const Vec3 X = x - center;
      return move(center + rotation_from_vector(angle * X.dot(axis) / length * axis) * X);
    };
  }

  PointMap make_wave(double t, const PointMap& move) {
    std::vector<std::array<Vec3, 2>> waves;
    std::vector<double> phases;
    for (int k = 0; k < 4; ++k) {
      waves.push_back({draw(2, 8) / size_ * direction(), 0.06 * t * size_ * direction()});
      phases.push_back(draw(0, 6));
    }
    return [=](const Vec3& x) -> Vec3 {
      Vec3 y = x;
      for (size_t k = 0; k < waves.size(); ++k) y += std::sin(waves[k][0].dot(x) + phases[k]) * waves[k][1];
      return move(y);
    };
  }

  // Every handle by itself: turned, stretched, flattened, turned inside out, its midpoints anywhere.
  VecX go_wild(double t) {
    VecX n(3 * static_cast<Eigen::Index>(rest_.nodes.size()));
    for (size_t j = 0; j < rest_.handle_count(); ++j) {
      const auto first = static_cast<size_t>(rest_.handle_nodes[j]);
      const Vec3& N = rest_.nodes[first];
      const Vec3 shift = 0.3 * t * size_ * draw(0, 1) * direction();
      Mat3 F = rotation_from_vector(t * draw(0, 3) * direction());
      for (int k = 0; k < 9; ++k) F(k % 3, k / 3) += t * draw(-0.7, 0.7);
      for (size_t i = first; i < static_cast<size_t>(rest_.handle_nodes[j + 1]); ++i) {
        Vec3 y = N + shift + F * (rest_.nodes[i] - N);
        if (i >= first + 4) y += 0.05 * t * size_ * direction();
        n.segment<3>(3 * static_cast<Eigen::Index>(i)) = y;
      }
    }
    return n;
  }

  const MedialRest& rest_;
  std::mt19937 random_;
  Eigen::AlignedBox3d box_;
  double size_;
  int long_ = 0;
};

}  // namespace

MedialSolid prepare_solid(const std::string& name, const Mesh& surface, int handles, HandleKind handle) {
  MedialOptions options;
  options.handles = handles;
  options.cells = 12;
  MedialReport report;
  const PreparedMedial prepared = prepare_medial(surface, name, options, report);
  return {name, make_medial_rest(prepared, list_body_handles(prepared, handle))};
}

const char* name_of(Deformation deformation) {
  constexpr std::array<const char*, 7> kNames = {"rigid", "stretch", "bend", "twist", "wave", "fold", "wild"};
  return kNames[static_cast<size_t>(deformation)];
}

VecX deform_nodes(const MedialRest& rest, Deformation deformation, double t, unsigned seed) {
  return NodeDeformer(rest, seed).apply(deformation, t);
}

VecX rest_nodes(const MedialRest& rest) {
  VecX n(3 * static_cast<Eigen::Index>(rest.nodes.size()));
  for (size_t i = 0; i < rest.nodes.size(); ++i)
    n.segment<3>(3 * static_cast<Eigen::Index>(i)) = rest.nodes[i];
  return n;
}

}  // namespace marrow
