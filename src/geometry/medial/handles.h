// Handles: the nodes that a medial body moves with, and the weights of points over them.
//
// Handle j stands at c_j with the size r_j. Its nodes are the corners c_j + r_j u_k of a regular tetrahedron,
// so that a point has the barycentric coordinates β_k = ¼ + ¾ u_k·(X − c_j)/r_j. A quadratic handle has six
// more, at the midpoints of the edges (01 02 03 12 13 23), with the shape functions β_k (2 β_k − 1) and 4 β_k
// β_l of the quadratic tetrahedron.
#pragma once

#include <span>

#include "core/options.h"
#include "linalg/scalar_matrix.h"

namespace marrow {

enum class HandleKind { Affine, Quadratic };

template <>
struct EnumNames<HandleKind> {
  static constexpr const char* names[] = {"affine", "quadratic"};
};

// What a body's handles are; mixed: quadratic where the medial mesh is sparse (preprocess/medial_body).
enum class HandleChoice { Affine, Quadratic, Mixed };

template <>
struct EnumNames<HandleChoice> {
  static constexpr const char* names[] = {"affine", "quadratic", "mixed"};
};

inline Index count_handle_nodes(HandleKind kind) { return kind == HandleKind::Affine ? 4 : 10; }

// The handles of a body at rest.
struct Handles {
  std::span<const Vec3> centers;
  std::span<const double> sizes;
  std::span<const HandleKind> kinds;  // empty: all affine

  HandleKind kind_of(Index j) const {
    return kinds.empty() ? HandleKind::Affine : kinds[static_cast<size_t>(j)];
  }
  Index count() const { return static_cast<Index>(centers.size()); }
  std::vector<Index> list_first_nodes() const;  // per handle, and the end
};

// Their nodes at rest, handle by handle.
Points list_handle_nodes(const Handles& handles);

// The weights of points over the nodes, from those over the handles.
ScalarMatrix compute_handle_node_weights(const Points& points, const ScalarMatrix& handle_weights,
                                         const Handles& handles);

// The weights of spheres over the nodes of the handles that they follow.
ScalarMatrix compute_sphere_weights(const Points& spheres, const std::vector<Index>& sphere_handles,
                                    const Handles& handles);

}  // namespace marrow
