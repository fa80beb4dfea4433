// A body as the projections see it: nodes, the points that its projected tets have as corners, and weights.
#pragma once

#include "sim/model/model.h"
#include "sim/projective/local_step.h"

namespace marrow {

class ProjectedBody {
 public:
  // Of a soft or a medial body that has tets.
  ProjectedBody(const Model& model, size_t body);

  Index first_node() const { return first_node_; }
  Index node_count() const { return node_count_; }
  size_t body() const { return body_; }

  // K = Σ w Gᵀ G over the body's nodes [N/m].
  const ScalarMatrix& stiffness() const { return stiffness_; }

  // Adds the forces Σ w Gᵀ P at n, times the factor, to those on all nodes.
  void add_pulls(const VecX& n, double factor, VecX& forces);

  size_t tet_count() const { return projector_.tet_count(); }
  size_t constraint_count() const { return tet_count() * constraints_a_tet_; }
  size_t single_count() const { return projector_.single_count(); }

 private:
  size_t body_;
  Index first_node_, node_count_;
  size_t constraints_a_tet_ = 1;
  TetProjector projector_;
  // Corners of the tets × nodes, and the same transposed; empty: every node is a corner, in order.
  ScalarMatrix W_, Wt_;
  ScalarMatrix stiffness_;
  VecX nodes_, x_, pulls_, on_nodes_;
};

// Whether projections move the body: it is soft or medial, and has tets.
bool is_projected(const Model& model, size_t body);

// Whether every node of it is a corner of a tet.
bool is_projected_whole(const Model& model, size_t body);

// Choose so many of the tets, spread over the body: each stands for those that are nearer to it than to the
// others. shares: how many times its own volume that is. All tets if there are no more.
struct TetSamples {
  std::vector<Index> tets;
  std::vector<double> shares;
};
TetSamples choose_tet_samples(const Points& centers, const std::vector<double>& volumes, int count);

}  // namespace marrow
