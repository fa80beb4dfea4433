// The bound of one primitive in one frame, from its constant rows and the motion of its handles (bounds.h).
#pragma once

#include <cmath>

#include "geometry/certificates/matrix_norm.h"
#include "geometry/medial/bound_rows.h"

namespace marrow {

// The affine map beside which residuals are measured: T(X) = to + F (X − from).
struct BoundFrame {
  Mat3 F = Mat3::Identity();
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();

  MARROW_HD Vec3 move(const Vec3& x) const { return to + F * (x - from); }
};

// What handle j does beside T.
struct HandleResidual {
  Mat3 G;
  Vec3 g;
  double G_norm = 0, g_norm = 0;
};

MARROW_HD inline HandleResidual compute_residual(const RowHandle& row, const HandleMotion* motions,
                                                 const BoundFrame& T) {
  HandleResidual residual;
  if (row.handle == kNone) {
    residual.G = Mat3::Identity() - T.F;
    residual.g = row.origin - T.move(row.origin);
  } else {
    const HandleMotion& motion = motions[row.handle];
    residual.G = motion.gradient - T.F;
    residual.g = motion.move(row.origin) - T.move(row.origin);
  }
  residual.G_norm = bound_spectral_norm(residual.G);
  residual.g_norm = residual.g.norm();
  return residual;
}

// The largest |residual| over the points that one representative stands for: its own, and the most that the
// others can differ from it.
MARROW_HD inline double bound_residual(const RowHandle* handles, const HandleResidual* residuals,
                                       size_t count, const HandleMotion* motions, const double* row,
                                       const double* differences) {
  Vec3 own = Vec3::Zero();
  double others = 0;
  for (size_t k = 0; k < count; ++k) {
    const RowHandle& h = handles[k];
    const HandleResidual& r = residuals[k];
    const double* z = row + h.first;
    const double* most = differences + h.first_difference;
    own += r.G * Vec3(z[0], z[1], z[2]) + z[3] * r.g;
    others += r.G_norm * most[0] + r.g_norm * most[1];
    for (int s = 0; s < h.bump_count; ++s) {
      const Vec3& bump = motions[h.handle].bumps[s];
      own += z[4 + s] * bump;
      others += bump.norm() * most[2 + s];
    }
  }
  return own.norm() + others;
}

}  // namespace marrow
