// The von Mises stress measures in one number how far a state of stress is from plain pressure.
//
//   σ = P Fᵀ / J        Cauchy stress of an element, P = ∂Ψ/∂F
//   s = σ − ⅓ tr σ I
//   von Mises = √(3/2 s : s)                                                                      [Pa]
//
// It is constant in an element; a node has the mean of the elements around it, weighted by their rest
// volumes.
#pragma once

#include <vector>

#include "kinematics/body.h"
#include "potentials/materials/material.h"

namespace marrow {

// The von Mises stress of a Cauchy stress.
double compute_von_mises(const Mat3& cauchy_stress);

// One value per node of all bodies; 0 if there are no elements.
std::vector<double> compute_node_von_mises(const Kinematics& kinematics,
                                           const std::vector<Material>& materials, const VecX& n);

// One value per point of all bodies; 0 if there are no elements. A point takes the mean of its nodes' values,
// weighted by |w|.
std::vector<double> compute_point_von_mises(const Kinematics& kinematics,
                                            const std::vector<Material>& materials, const VecX& n);

// The same from the values of the nodes.
std::vector<double> spread_to_points(const Kinematics& kinematics, const std::vector<double>& of_nodes);

}  // namespace marrow
