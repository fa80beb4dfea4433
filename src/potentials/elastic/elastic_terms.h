// The elastic terms of a model are the potentials that a step adds up: tets, shells, wires, and the bending
// of both. Only those that the model has are in the list. A second list has the damping of those whose
// material is damped.
#pragma once

#include <memory>
#include <vector>

#include "kinematics/body.h"
#include "potentials/elastic/damping.h"
#include "potentials/materials/material.h"

namespace marrow {

class ReducedElasticity;

// The elastic energy of all bodies.
double compute_elastic_energy(const Kinematics& kinematics, const std::vector<Material>& materials,
                              const VecX& n);

class ElasticTerms {
 public:
  // Both must outlive this.
  ElasticTerms(const Kinematics& kinematics, const std::vector<Material>& materials);

  const std::vector<std::unique_ptr<Potential>>& list() const { return list_; }

  const std::vector<std::unique_ptr<Damping>>& damping() const { return damping_; }

  // Begins a step of length h [s] at n, for damping and for Hessians that are kept within a step.
  void start_step(const VecX& n, double h);

  // The sum over the elastic list.
  void add_gradient(const VecX& n, double weight, VecX& g);

 private:
  void add(std::unique_ptr<Potential> term, const std::vector<Index>& materials_of_stencils,
           const std::vector<Material>& materials, Index node_count);

  std::vector<std::unique_ptr<Potential>> list_;
  std::vector<std::unique_ptr<Damping>> damping_;
  std::vector<ReducedElasticity*> reduced_;  // those of the list
};

}  // namespace marrow
