// Moves the spheres of a medial mesh so that its surface fits that of the solid in the least-squares sense.
//
// Every sample of the surface belongs to the primitive of the smallest gap g = |x − c(t)| − r(t). With t
// held, ∂g/∂c_i = −t_i n and ∂g/∂r_i = −t_i, so that one Gauss–Newton step
//
//   min Σ_samples w (g + ∂g·δ)² + hold Σ_spheres |δ|²
//
// is a sparse system of four unknowns per sphere. Quadrics (simplify_medial.h) only see the planes of slabs
// that are gone; this sees the surface itself. Ours; not in the papers.
#pragma once

#include "preprocess/volume/surface_samples.h"

namespace marrow {

struct FitOptions {
  int iterations = 12;
  // Weight of samples outside the union against those inside; raising it needs less dilation afterwards.
  double outside_weight = 3;
};

// The simplices stay as they are. Radii stay above 0.
void fit_medial(const std::vector<SurfaceSample>& samples, const FitOptions& options, Mesh& medial);

}  // namespace marrow
