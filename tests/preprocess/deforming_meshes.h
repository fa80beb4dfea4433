// Meshes that deform by formula: relatives of the examples of Zheng and James 2012, table 1. Some stay free
// of self-intersections, some do not; t runs from 0, the rest shape, to 1.
#pragma once

#include <functional>
#include <random>
#include <string>

#include "mesh/mesh.h"

namespace marrow {

inline double draw(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

struct DeformingMesh {
  std::string name;
  Mesh rest;
  std::function<Points(double t)> at;
};

// Triangles: about how many. seed: varies phases, amplitudes and noise.
DeformingMesh make_flowing_cloth(int triangles, unsigned seed);
DeformingMesh make_cloth_on_sphere(int triangles, unsigned seed);
DeformingMesh make_folding_cloth(int triangles, unsigned seed);  // folds over and through itself
DeformingMesh make_twisting_bar(int triangles, unsigned seed);   // a long box
DeformingMesh make_spring_wire(int triangles, unsigned seed);    // a coil, pressed until coils meet
DeformingMesh make_bending_rod(int triangles, unsigned seed);    // a tube, bent into a ring and beyond
DeformingMesh make_squashed_blob(int triangles, unsigned seed);  // a bumpy ball, squashed
DeformingMesh make_noisy_blob(int triangles, unsigned seed);
DeformingMesh make_spiky_blob(int triangles, unsigned seed);
DeformingMesh make_tentacle_ball(int triangles, unsigned seed);  // tentacles that sway and meet

// All of the above.
std::vector<DeformingMesh> make_deforming_meshes(int triangles, unsigned seed);

}  // namespace marrow
