#include "potentials/elastic/von_mises.h"

#include <cmath>

#include "exec/parallel.h"
#include "potentials/materials/laws.h"

namespace marrow {
namespace {

std::vector<double> compute_element_values(const Elements& elements, const std::vector<Material>& materials,
                                           const VecX& n) {
  std::vector<double> values(elements.count());
  exec::parallel_for("von_mises.elements", elements.count(), [&](size_t e) {
    const Mat3 F = compute_deformation_gradient(elements, e, n);
    const Material& material = materials[static_cast<size_t>(elements.materials[e])];
    const Mat3 P = visit_guarded_material(material, [&](const auto& m) -> Mat3 { return m.stress(F); });
    values[e] = compute_von_mises(P * F.transpose() / F.determinant());
  });
  return values;
}

// Means over the elements around each node, weighted by volume.
std::vector<double> average_to_nodes(const Elements& elements, const std::vector<double>& values,
                                     Index node_count) {
  std::vector<double> sums(static_cast<size_t>(node_count), 0), volumes(sums);
  for (size_t e = 0; e < elements.count(); ++e) {
    for (Index k = elements.offsets[e]; k < elements.offsets[e + 1]; ++k) {
      const auto node = static_cast<size_t>(elements.nodes[static_cast<size_t>(k)]);
      sums[node] += elements.volumes[e] * values[e];
      volumes[node] += elements.volumes[e];
    }
  }
  for (size_t i = 0; i < sums.size(); ++i) sums[i] = volumes[i] > 0 ? sums[i] / volumes[i] : 0;
  return sums;
}

}  // namespace

double compute_von_mises(const Mat3& cauchy_stress) {
  const Mat3 deviator = cauchy_stress - cauchy_stress.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5 * deviator.squaredNorm());
}

std::vector<double> compute_node_von_mises(const Kinematics& kinematics,
                                           const std::vector<Material>& materials, const VecX& n) {
  const Elements& elements = kinematics.elements;
  return average_to_nodes(elements, compute_element_values(elements, materials, n), kinematics.node_count);
}

std::vector<double> compute_point_von_mises(const Kinematics& kinematics,
                                            const std::vector<Material>& materials, const VecX& n) {
  return spread_to_points(kinematics, compute_node_von_mises(kinematics, materials, n));
}

std::vector<double> spread_to_points(const Kinematics& kinematics, const std::vector<double>& of_nodes) {
  std::vector<double> result(static_cast<size_t>(kinematics.point_count), 0);
  for (const Body& body : kinematics.bodies) {
    for (Index row = 0; row < body.W.rows(); ++row) {
      double sum = 0, weights = 0;
      for (Index k = body.W.offsets[static_cast<size_t>(row)];
           k < body.W.offsets[static_cast<size_t>(row) + 1]; ++k) {
        const double weight = std::abs(body.W.values[static_cast<size_t>(k)]);
        sum +=
            weight * of_nodes[static_cast<size_t>(body.first_node + body.W.indices[static_cast<size_t>(k)])];
        weights += weight;
      }
      if (weights > 0) result[static_cast<size_t>(body.first_point + row)] = sum / weights;
    }
  }
  return result;
}

}  // namespace marrow
