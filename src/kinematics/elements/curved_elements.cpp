#include "kinematics/elements/curved_elements.h"

#include <Eigen/Dense>
#include <algorithm>
#include <numeric>

#include "geometry/curved/quadrature.h"

namespace marrow {
namespace {

using Gradients = Eigen::Matrix<double, Eigen::Dynamic, 3>;

// The least degrees at which no motion but the rigid ones costs nothing; curved tets need the degree of the
// volume, 3 (p − 1).
int elastic_degree(int order, bool is_straight) {
  constexpr std::array<int, 5> kLeastDegrees = {0, 1, 2, 5, 6};
  const int least = kLeastDegrees[static_cast<size_t>(order)];
  return is_straight ? least : std::max(least, 3 * (order - 1));
}

// 2p for the two shape functions, 3 (q − 1) for the volume.
int mass_degree(int order, bool is_straight) { return 2 * order + (is_straight ? 0 : 3 * (order - 1)); }

// Shape functions at the points of a rule.
struct Table {
  std::vector<QuadraturePoint> rule;
  std::vector<VecX> weights;
  std::vector<Gradients> gradients;
};

Table make_table(const LagrangeBasis& basis, std::vector<QuadraturePoint> rule) {
  Table table{std::move(rule), {}, {}};
  for (const QuadraturePoint& point : table.rule) {
    table.weights.push_back(basis.weights(point.lambda));
    table.gradients.push_back(basis.gradients(point.lambda));
  }
  return table;
}

// ∂X/∂ξ.
Mat3 compute_jacobian(const CurvedMesh& mesh, std::span<const Index> nodes, const Gradients& gradients) {
  Mat3 J = Mat3::Zero();
  const Vec3& first = mesh.nodes[static_cast<size_t>(nodes[0])];
  for (size_t k = 1; k < nodes.size(); ++k) {
    J += (mesh.nodes[static_cast<size_t>(nodes[k])] - first) * gradients.row(static_cast<Index>(k));
  }
  return J;
}

// Appends the points of a rule, tet by tet.
void add_points(const CurvedMesh& mesh, const Table& table, Index first_node, Index material,
                Elements& elements) {
  std::vector<size_t> sorted(table.weights.front().size());
  for (size_t t = 0; t < mesh.tet_count(); ++t) {
    const std::span<const Index> nodes = mesh.nodes_of(t);
    std::iota(sorted.begin(), sorted.end(), size_t{0});
    std::sort(sorted.begin(), sorted.end(), [&](size_t a, size_t b) { return nodes[a] < nodes[b]; });
    for (size_t q = 0; q < table.rule.size(); ++q) {
      const Mat3 J = compute_jacobian(mesh, nodes, table.gradients[q]);
      const Mat3 inverse = J.inverse();
      for (const size_t k : sorted) {
        elements.nodes.push_back(first_node + nodes[k]);
        elements.gradients.push_back((table.gradients[q].row(static_cast<Index>(k)) * inverse).transpose());
      }
      elements.offsets.push_back(static_cast<Index>(elements.nodes.size()));
      elements.volumes.push_back(table.rule[q].weight * J.determinant() / 6);
      elements.materials.push_back(material);
    }
  }
}

}  // namespace

CurvedShape make_curved_shape(CurvedMesh volume, int cells, bool is_straight) {
  const LagrangeBasis basis(volume.order);
  const CutBoundary cut = cut_boundary(volume, cells);
  std::vector<Triplet> entries;
  CurvedShape shape;
  shape.surface.triangles = cut.triangles;
  for (size_t i = 0; i < cut.points.size(); ++i) {
    const std::span<const Index> nodes = volume.nodes_of(static_cast<size_t>(cut.points[i].tet));
    const VecX w = basis.weights(cut.points[i].lambda);
    Vec3 x = Vec3::Zero();
    for (size_t k = 0; k < nodes.size(); ++k) {
      const double weight = w[static_cast<Index>(k)];
      if (weight == 0) continue;
      entries.push_back({static_cast<Index>(i), nodes[k], weight});
      x += weight * volume.nodes[static_cast<size_t>(nodes[k])];
    }
    shape.surface.points.push_back(x);
  }
  shape.weights = build_scalar_matrix(static_cast<Index>(cut.points.size()),
                                      static_cast<Index>(volume.nodes.size()), std::move(entries));
  shape.volume = std::move(volume);
  shape.is_straight = is_straight;
  return shape;
}

CurvedShape make_carrying_shape(CurvedMesh volume, Mesh surface, const std::vector<PointPlace>& places,
                                bool is_straight) {
  const LagrangeBasis basis(volume.order);
  std::vector<Triplet> entries;
  for (size_t i = 0; i < places.size(); ++i) {
    const std::span<const Index> nodes = volume.nodes_of(static_cast<size_t>(places[i].tet));
    const VecX w = weigh_place(basis, places[i]);
    for (size_t k = 0; k < nodes.size(); ++k) {
      const double weight = w[static_cast<Index>(k)];
      if (weight != 0) entries.push_back({static_cast<Index>(i), nodes[k], weight});
    }
  }
  CurvedShape shape;
  shape.weights = build_scalar_matrix(static_cast<Index>(places.size()),
                                      static_cast<Index>(volume.nodes.size()), std::move(entries));
  shape.surface = std::move(surface);
  shape.volume = std::move(volume);
  shape.is_straight = is_straight;
  return shape;
}

void add_curved_elements(const CurvedShape& shape, Index first_node, Index material, Elements& elements) {
  const Table table = make_table(LagrangeBasis(shape.volume.order),
                                 make_tet_quadrature(elastic_degree(shape.volume.order, shape.is_straight)));
  add_points(shape.volume, table, first_node, material, elements);
}

void add_curved_guards(const CurvedShape& shape, Index first_node, Index material, Elements& elements) {
  const LagrangeBasis places(2);  // its nodes are the corners and the middles of the edges
  std::vector<QuadraturePoint> rule;
  for (size_t k = 0; k < places.size(); ++k) rule.push_back({places.place_of(k), 0.1});
  add_points(shape.volume, make_table(LagrangeBasis(shape.volume.order), std::move(rule)), first_node,
             material, elements);
}

std::vector<TetMass> compute_tet_masses(const CurvedMesh& mesh, bool is_straight) {
  // Of X det ∂X/∂ξ.
  const int degree = mesh.order + (is_straight ? 0 : 3 * (mesh.order - 1));
  const Table table = make_table(LagrangeBasis(mesh.order), make_tet_quadrature(degree));
  std::vector<TetMass> masses;
  for (size_t t = 0; t < mesh.tet_count(); ++t) {
    const std::span<const Index> nodes = mesh.nodes_of(t);
    const Vec3& first = mesh.nodes[static_cast<size_t>(nodes[0])];
    TetMass mass;
    for (size_t q = 0; q < table.rule.size(); ++q) {
      const double volume =
          table.rule[q].weight * compute_jacobian(mesh, nodes, table.gradients[q]).determinant() / 6;
      Vec3 x = Vec3::Zero();
      for (size_t k = 0; k < nodes.size(); ++k) {
        x += table.weights[q][static_cast<Index>(k)] * (mesh.nodes[static_cast<size_t>(nodes[k])] - first);
      }
      mass.volume += volume;
      mass.center += volume * x;
    }
    mass.center = first + mass.center / mass.volume;
    masses.push_back(mass);
  }
  return masses;
}

ScalarMatrix compute_curved_mass(const CurvedShape& shape, double density) {
  const CurvedMesh& mesh = shape.volume;
  const Table table =
      make_table(LagrangeBasis(mesh.order), make_tet_quadrature(mass_degree(mesh.order, shape.is_straight)));
  const auto count = static_cast<Index>(count_lattice(mesh.order));
  MatX unit = MatX::Zero(count, count);  // of a straight tet of volume 1
  for (size_t q = 0; q < table.rule.size(); ++q) {
    unit += table.rule[q].weight * table.weights[q] * table.weights[q].transpose();
  }
  std::vector<Triplet> triplets;
  triplets.reserve(mesh.tet_count() * static_cast<size_t>(count * count));
  for (size_t t = 0; t < mesh.tet_count(); ++t) {
    const std::span<const Index> nodes = mesh.nodes_of(t);
    MatX local = MatX::Zero(count, count);
    if (shape.is_straight) {
      local = density * compute_jacobian(mesh, nodes, table.gradients[0]).determinant() / 6 * unit;
    } else {
      for (size_t q = 0; q < table.rule.size(); ++q) {
        const double volume = compute_jacobian(mesh, nodes, table.gradients[q]).determinant() / 6;
        local += density * table.rule[q].weight * volume * table.weights[q] * table.weights[q].transpose();
      }
    }
    if (!shape.densities.empty()) local *= shape.densities[t];
    for (Index a = 0; a < count; ++a) {
      for (Index b = 0; b < count; ++b) {
        triplets.push_back({nodes[static_cast<size_t>(a)], nodes[static_cast<size_t>(b)], local(a, b)});
      }
    }
  }
  const auto size = static_cast<Index>(mesh.nodes.size());
  return build_scalar_matrix(size, size, std::move(triplets));
}

}  // namespace marrow
