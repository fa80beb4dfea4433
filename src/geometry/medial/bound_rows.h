// The constant rows of bounds.h: how the points of each primitive follow handles beside the primitive's own
// spheres. Flat arrays, so that a kernel reads them as they are.
//
// The residual of a point is Σ_j G_j M + g_j d + Σ_s q_js D_s. Its row holds M (3), d (1) and, for a
// quadratic handle, D (6) of every handle of the primitive. Some points stand for the others: each
// representative has the largest differences |ΔM|, |Δd| and |ΔD| of those it stands for.
#pragma once

#include "geometry/medial/handle_motion.h"
#include "geometry/medial/medial_rest.h"
#include "geometry/medial/surface_pieces.h"

namespace marrow {

struct RowHandle {
  Index handle = kNone;        // kNone: what stays at rest
  Vec3 origin = Vec3::Zero();  // o
  int first = 0;               // of its numbers in a row
  int first_difference = 0;    // of its numbers in a row of differences
  int bump_count = 0;
  bool has_sphere = false;  // it moves a sphere of the primitive
};

struct PrimitiveRows {
  Vec3 center = Vec3::Zero();  // mean of the spheres at rest
  Eigen::Matrix<double, 3, 2> rest_sides = Eigen::Matrix<double, 3, 2>::Zero();  // from its first sphere
  Eigen::Matrix<double, 2, 3> across = Eigen::Matrix<double, 2, 3>::Zero();      // their pseudo-inverse
  Mat3 ellipsoid = Mat3::Identity();                                             // S
  double need = 0;                                                               // [m]
  double row_sum = 0;  // the largest Σ|W| of its points and spheres
  int row_length = 0;  // the most nodes of a row
  size_t first_handle = 0, handle_count = 0;
  size_t first_row = 0, first_difference = 0;  // into numbers and differences
  int representatives = 0, width = 0, difference_width = 0;
};

struct BoundRows {
  std::vector<PrimitiveRows> primitives;
  std::vector<RowHandle> handles;
  std::vector<double> numbers;
  std::vector<double> differences;
};

std::vector<HandleRest> list_handles(const MedialRest& rest);

BoundRows build_bound_rows(const MedialRest& rest, const std::vector<HandleRest>& handles,
                           const std::vector<MedialPrimitive>& primitives, const SurfacePieces& pieces,
                           int representatives);

}  // namespace marrow
