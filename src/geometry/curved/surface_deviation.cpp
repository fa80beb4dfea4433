#include "geometry/curved/surface_deviation.h"

#include <algorithm>
#include <limits>

#include "geometry/curved/bernstein.h"
#include "geometry/curved/lagrange.h"

namespace marrow {
namespace {

// The nodes of a face, as places on the tet whose first three corners it has.
std::vector<LatticePoint4> list_face(int order) {
  std::vector<LatticePoint4> places = list_lattice(order);
  std::erase_if(places, [](const LatticePoint4& a) { return a[3] > 0; });
  return places;
}

// From the values at the nodes of a face to its control points. Those of the face depend on nothing else.
MatX make_face_control(int order) {
  const MatX whole = make_control_matrix(order);
  const LatticeNumbers numbers(order);
  const std::vector<LatticePoint4> face = list_face(order);
  const auto count = static_cast<Index>(face.size());
  MatX control(count, count);
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) {
      control(i, j) = whole(numbers[face[static_cast<size_t>(i)]], numbers[face[static_cast<size_t>(j)]]);
    }
  }
  return control;
}

// Of each piece of a face: from the nodes of the face to its control points less those of the flat triangle.
std::vector<MatX> make_differences(int order, int cells) {
  const LagrangeBasis basis(order);
  const LatticeNumbers numbers(order);
  const MatX control = make_face_control(order);
  const std::vector<LatticePoint4> face = list_face(order);
  const auto count = static_cast<Index>(face.size());
  std::vector<MatX> differences;
  const auto add_piece = [&](const std::array<Vec4, 3>& corners) {
    const auto weights_at = [&](const Vec4& lambda) {
      const VecX all = basis.weights(lambda);
      VecX own(count);
      for (Index j = 0; j < count; ++j) own[j] = all[numbers[face[static_cast<size_t>(j)]]];
      return own;
    };
    MatX curved(count, count), flat = MatX::Zero(count, count);
    for (Index i = 0; i < count; ++i) {
      const LatticePoint4& a = face[static_cast<size_t>(i)];
      Vec4 lambda = Vec4::Zero();
      for (size_t c = 0; c < 3; ++c) {
        const double share = static_cast<double>(a[c]) / order;
        lambda += share * corners[c];
        flat.row(i) += share * weights_at(corners[c]).transpose();
      }
      curved.row(i) = weights_at(lambda).transpose();
    }
    differences.push_back(control * curved - flat);
  };
  const auto at = [&](int a, int b) { return Vec4(Vec4(cells - a - b, a, b, 0) / cells); };
  for (int b = 0; b < cells; ++b) {
    for (int a = 0; a + b < cells; ++a) {
      add_piece({at(a, b), at(a + 1, b), at(a, b + 1)});
      if (a + b + 2 <= cells) add_piece({at(a + 1, b), at(a + 1, b + 1), at(a, b + 1)});
    }
  }
  return differences;
}

// The nodes of a face from its first corner, a row each.
using FaceNodes = Eigen::Matrix<double, Eigen::Dynamic, 3>;

std::vector<FaceNodes> list_face_nodes(const CurvedMesh& mesh) {
  const LatticeNumbers numbers(mesh.order);
  const std::vector<LatticePoint4> face = list_face(mesh.order);
  std::vector<FaceNodes> list;
  for (const BoundaryFace& one : list_boundary_faces(mesh)) {
    const std::span<const Index> nodes = mesh.nodes_of(one.tet);
    const Vec3& first = mesh.nodes[static_cast<size_t>(nodes[one.corners[0]])];
    FaceNodes& rows = list.emplace_back(static_cast<Index>(face.size()), 3);
    for (size_t i = 0; i < face.size(); ++i) {
      LatticePoint4 place = {0, 0, 0, 0};
      for (size_t c = 0; c < 3; ++c) place[one.corners[c]] = face[i][c];
      const auto node = static_cast<size_t>(nodes[static_cast<size_t>(numbers[place])]);
      rows.row(static_cast<Index>(i)) = (mesh.nodes[node] - first).transpose();
    }
  }
  return list;
}

// Stops at the first piece beyond the limit.
double find_largest(const std::vector<FaceNodes>& faces, const std::vector<MatX>& differences, double limit) {
  double largest = 0;
  for (const FaceNodes& nodes : faces) {
    for (const MatX& difference : differences) {
      largest = std::max(largest, (difference * nodes).rowwise().norm().maxCoeff());
      if (largest > limit) return largest;
    }
  }
  return largest;
}

}  // namespace

double bound_surface_deviation(const CurvedMesh& mesh, int cells) {
  if (mesh.order == 1) return 0;
  return find_largest(list_face_nodes(mesh), make_differences(mesh.order, cells),
                      std::numeric_limits<double>::infinity());
}

int choose_surface_cells(const CurvedMesh& mesh, double deviation, int least, int most) {
  if (mesh.order == 1) return least;
  const std::vector<FaceNodes> faces = list_face_nodes(mesh);
  for (int cells = least; cells <= most; ++cells) {
    if (find_largest(faces, make_differences(mesh.order, cells), deviation) <= deviation) return cells;
  }
  return 0;
}

}  // namespace marrow
