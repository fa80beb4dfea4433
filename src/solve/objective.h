// A time step minimises this function: a weighted sum of potentials over the nodes. sim/terms/step_terms.h
// lists them.
#pragma once

#include <functional>
#include <vector>

#include "potentials/potential.h"

namespace marrow {

// A value and a bound on its rounding.
struct ObjectiveValue {
  double value = 0;
  double rounding = 0;
};

// The Hessian is the sum of element Hessians: projected to be positive semi-definite, or exact.
enum class Curvature { Projected, Exact };

class Objective {
 public:
  explicit Objective(Index node_count) : node_count_(node_count) {}

  // The potential must outlive this. A term of weight 0 is switched off.
  void add_term(Potential& potential, double weight) { terms_.push_back({&potential, weight}); }

  // Changes the weight of a term.
  void set_weight(const Potential& potential, double weight);

  // The observer is called with every configuration to which the nodes are moved; may be empty.
  void set_observer(std::function<void(const VecX& n)> observer) { observer_ = std::move(observer); }
  void report_move(const VecX& n) const {
    if (observer_) observer_(n);
  }

  Index node_count() const { return node_count_; }

  ObjectiveValue compute_value(const VecX& n) const;
  void compute_gradient(const VecX& n, VecX& g);

  // The sum of the element Hessians. If they are projected, it is positive semi-definite.
  void compute_hessian(const VecX& n, Curvature curvature, BlockMatrix& H);

  // Flags the free nodes that the last Hessian's stiff potentials couple with each other
  // (Potential::is_stiff).
  std::vector<char> flag_stiff_nodes(const std::vector<char>& is_fixed) const;

  // The step limit of all potentials. They are asked in the order of the terms, each about the part of the
  // path that those before it allow, so that expensive limits (CCD) are evaluated last.
  StepLimit compute_step_limit(const NodePath& path) const;

 private:
  struct Term {
    Potential* potential;
    double weight;
  };
  Index node_count_;
  std::vector<Term> terms_;
  std::function<void(const VecX&)> observer_;
  BlockAssembler assembler_;
  std::vector<const StencilGroup*> stiff_groups_;  // of the last Hessian
};

}  // namespace marrow
