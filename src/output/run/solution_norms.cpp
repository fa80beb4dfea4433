#include "output/run/solution_norms.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "geometry/curved/lagrange.h"
#include "geometry/curved/quadrature.h"

namespace marrow {
namespace {

constexpr double kSmallestNorm = 1e-5;  // that differences are relative to, as in PolyFEM

// Adds points of quadrature up, body by body in the order of the scene.
class NormSum {
 public:
  void add(const Vec3& u, const Mat3& gradient, double volume) {
    const double size = u.norm();
    norms_.linf = std::max(norms_.linf, size);
    norms_.l2 += volume * size * size;
    norms_.h1_semi += volume * gradient.squaredNorm();
    norms_.lp += volume * std::pow(size, 8);
  }

  // |∇u| of the last tet of a body.
  void set_last(Index body, double gradient) {
    if (body < last_body_) return;
    last_body_ = body;
    last_gradient_ = gradient;
  }

  SolutionNorms finish() const {
    SolutionNorms norms = norms_;
    norms.h1 = std::sqrt(norms_.l2 + norms_.h1_semi);
    norms.l2 = std::sqrt(norms_.l2);
    norms.h1_semi = std::sqrt(norms_.h1_semi);
    norms.lp = std::pow(norms_.lp, 1.0 / 8);
    norms.linf_grad = std::max(norms_.linf, last_gradient_);
    return norms;
  }

 private:
  SolutionNorms norms_;
  Index last_body_ = 0;
  double last_gradient_ = 0;
};

void add_straight(const Kinematics& kinematics, const VecX& u, NormSum& sum) {
  const Elements& elements = kinematics.elements;
  for (size_t e = 0; e < elements.count(); ++e) {
    const Index first = elements.offsets[e], end = elements.offsets[e + 1];
    const Index b = find_body_of_node(kinematics.bodies, elements.nodes[static_cast<size_t>(first)]);
    const Body& body = kinematics.bodies[static_cast<size_t>(b)];
    if (body.kind != BodyKind::Soft || body.order > 1) continue;
    Vec3 middle = Vec3::Zero();
    for (Index k = first; k < end; ++k) middle += u.segment<3>(3 * elements.nodes[static_cast<size_t>(k)]);
    const Mat3 gradient = compute_deformation_gradient(elements, e, u);
    sum.add(middle / static_cast<double>(end - first), gradient, elements.volumes[e]);
    sum.set_last(b, gradient.norm());
  }
}

void add_curved(const Model& model, const CurvedTets& tets, const VecX& u, NormSum& sum) {
  const LagrangeBasis basis(tets.order);
  const std::vector<QuadraturePoint> rule = make_tet_quadrature(std::max(2 * (tets.order - 1), 1));
  const size_t width = basis.size();
  const Index body = find_body_of_node(model.kinematics.bodies, tets.nodes.front());
  for (size_t t = 0; t < tets.nodes.size(); t += width) {
    double largest = 0;
    for (const QuadraturePoint& point : rule) {
      const VecX w = basis.weights(point.lambda);
      const auto slopes = basis.gradients(point.lambda);
      Vec3 value = Vec3::Zero();
      Mat3 du = Mat3::Zero(), dX = Mat3::Zero();
      for (size_t k = 0; k < width; ++k) {
        const Index node = 3 * tets.nodes[t + k];
        const auto row = static_cast<Eigen::Index>(k);
        value += w[row] * u.segment<3>(node);
        du += u.segment<3>(node) * slopes.row(row);
        dX += model.initial_nodes.segment<3>(node) * slopes.row(row);
      }
      const Mat3 gradient = du * dX.inverse();
      sum.add(value, gradient, point.weight * dX.determinant() / 6);
      largest = std::max(largest, gradient.norm());
    }
    sum.set_last(body, largest);
  }
}

}  // namespace

SolutionNorms compute_solution_norms(const Model& model, const VecX& nodes) {
  const VecX u = nodes - model.initial_nodes;
  NormSum sum;
  add_straight(model.kinematics, u, sum);
  for (const CurvedTets& tets : model.kinematics.curved) add_curved(model, tets, u, sum);
  return sum.finish();
}

double ComparedNorm::difference() const {
  return std::abs(ours - *recorded) / std::max(std::abs(*recorded), kSmallestNorm);
}

std::string format_norms(int step, double margin, const std::vector<ComparedNorm>& norms) {
  nlohmann::ordered_json result = {{"steps", step}, {"margin", margin}};
  for (const ComparedNorm& norm : norms) {
    if (!norm.recorded) continue;
    result[norm.name] = {
        {"recorded", *norm.recorded}, {"ours", norm.ours}, {"difference", norm.difference()}};
  }
  return result.dump(2) + "\n";
}

}  // namespace marrow
