// Medial primitives that enclose the deformed surface, whatever the handles do (deformation bounding).
//
// Every triangle of the surface, or pieces of it if it is large, belongs to one primitive. A point y = Σ W n
// of a piece has weights k there, and the centre c' = Σ k_i c'_i. For any affine map T with T(c_i) = c'_i,
// gradient F and residuals e of the nodes, n = T(N) + e,
//
//   y − c' = F (x − c) + Σ_j (G_j M_pj + g_j d_pj + Σ_s q_js D_pjs)
//
// where handle j moves points by G_j (X − o) + g_j beside T, plus the bumps q of its midpoints; M, d and D
// are constant rows of the point, and what W lacks to a sum of 1 is one more handle, which stays at rest. So
//
//   r'_i = min(‖F S‖, ‖F‖) (r_i + need) + max over points |Σ_j …|
//
// encloses the point: need is what the primitive lacks at rest, and S the ellipsoid of (x − c)/r. The maximum
// costs no look at the points: a few of them stand for the others, with the largest differences of M, d and D
// (one representative at zero is the paper's bound). All of it is derived in docs/models/medial_elastics.md.
#pragma once

#include "core/options.h"
#include "geometry/medial/bound_rows.h"
#include "geometry/medial/medial_rest.h"
#include "geometry/medial/surface_pieces.h"

namespace marrow {

// What T is.
enum class BoundKind {
  Displacement,  // the identity: the paper's displacement bounding, loose as soon as the body moves
  Rigid,         // the mean rotation and motion of the primitive's handles: the paper's deformation bounding
  Affine,        // takes the centres where they go, and the mean gradient across: ours
  Measured       // as Affine, but every point is looked at: the tightest, at the cost of all points
};

template <>
struct EnumNames<BoundKind> {
  static constexpr const char* names[] = {"displacement", "rigid", "affine", "measured"};
};

struct BoundOptions {
  int representatives = 64;  // points per primitive that stand for the others; raising it tightens the bound
                             // and costs time [measured: bench/results/medial_elastics.md]
  double piece_size = 0.02;  // larger triangles are cut, in diagonals of the surface's box
};

// The primitives of one body as they are in one frame. Each has its own radii, so that a shared sphere need
// not take the largest.
struct MedialCover {
  std::vector<MedialBalls> primitives;
  std::vector<double> growth;  // per primitive, the last term of r' [m]
};

class MedialBounds {
 public:
  explicit MedialBounds(MedialRest rest, const BoundOptions& options = {});

  const MedialRest& rest() const { return rest_; }
  const std::vector<MedialPrimitive>& primitives() const { return primitives_; }

  // The triangles of which a piece belongs to the primitive, ascending.
  std::span<const Index> list_triangles(Index primitive) const {
    const auto p = static_cast<size_t>(primitive);
    const auto& [starts, values] = pieces_.triangles;
    return {values.data() + starts[p], values.data() + starts[p + 1]};
  }
  const SurfacePieces& pieces() const { return pieces_; }

  // n: the nodes of the body. Every point of every triangle that x = W n gives is in each of its primitives'
  // pieces: no exception, rounding included.
  void update(BoundKind kind, const Eigen::Ref<const VecX>& n, MedialCover& cover) const;

  // The same for a surface that is not exactly W n: primitives grow by the largest difference of their
  // points.
  void update(BoundKind kind, const Eigen::Ref<const VecX>& n, const Points& surface,
              MedialCover& cover) const;

 private:
  void measure(const Points& surface, double largest, MedialCover& cover) const;

  MedialRest rest_;
  std::vector<MedialPrimitive> primitives_;
  SurfacePieces pieces_;
  std::vector<HandleRest> handles_;
  BoundRows rows_;
};

// Gives every sphere the largest radius that one of its primitives needs, as the paper does: what is drawn is
// then a medial mesh again.
void share_radii(const std::vector<MedialPrimitive>& primitives, size_t sphere_count, MedialCover& cover);

// The medial mesh of a cover, primitive by primitive with spheres of their own: to draw and to measure.
Mesh make_mesh(const MedialCover& cover);

}  // namespace marrow
