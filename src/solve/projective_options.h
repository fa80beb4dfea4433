// This file has the options of the projective stepper that a scene can set (docs/models/projective.md).
#pragma once

#include <optional>

#include "core/options.h"

namespace marrow {

enum class Stepper { Newton, Projective };

template <>
struct EnumNames<Stepper> {
  static constexpr const char* names[] = {"newton", "projective"};
};

// What keeps bodies apart: the step limit of the usual solve, or constraints for what is found to penetrate.
enum class ProjectiveContact { Certified, Detected };

template <>
struct EnumNames<ProjectiveContact> {
  static constexpr const char* names[] = {"certified", "detected"};
};

// Where the unknowns and the projections live: at every vertex and in every tet; at handles and in every tet;
// at handles and in some tets.
enum class LocalStep { Full, Semi, Hyper };

template <>
struct EnumNames<LocalStep> {
  static constexpr const char* names[] = {"full", "semi", "hyper"};
};

struct ProjectiveOptions {
  ProjectiveContact contact = ProjectiveContact::Certified;
  LocalStep local = LocalStep::Semi;
  int samples = 1000;
  int iterations = 10;
  double residual = 0;
  double volume = 1;
  std::optional<double> least_stretch;
  std::optional<double> most_stretch;
  double limit_stiffness = 10;
  double contact_stiffness = 1;
  double attachment_stiffness = 100;
  int quasi_newton_iterations = 5;
  std::optional<int> newton_iterations;

  bool limits_stretch() const { return least_stretch || most_stretch; }
  bool operator==(const ProjectiveOptions&) const = default;
};

template <class Visitor>
void visit_fields(Visitor& visit, ProjectiveOptions& o) {
  visit("contact", o.contact,
        {.doc = "certified: the result of the projections is where the usual solve starts, so that nothing "
                "ever intersects. detected: the result is the step, and what is found inside of other "
                "bodies is drawn out; fast, but bodies may pass through each other. The summary then says "
                "how deep they were."});
  visit(
      "local", o.local,
      {.doc = "semi: projections in every tet, unknowns at the handles of medial bodies. hyper: projections "
              "in some tets only (samples), which is faster and stiffer. full: unknowns at every vertex "
              "too; a scene with medial bodies has none there, so all bodies must be soft."});
  visit("samples", o.samples,
        {.at_least = 1, .doc = "hyper: number of tets with projections in each body. More are softer."});
  visit("iterations", o.iterations,
        {.at_least = 1,
         .doc = "The most local and global steps in a time step. More are exact sooner: bodies are stiffer "
                "and lose less momentum of rotation."});
  visit("residual", o.residual,
        {.at_least = 0,
         .below = 1,
         .doc = "Iterations end early once the unbalanced acceleration is below this fraction of gravity, or "
                "of the bodies' own acceleration without gravity. 0: never."});
  visit("volume", o.volume,
        {.at_least = 0,
         .doc = "Factor of the weight with which tets keep their volume. With 1, small deformations obey "
                "Young's modulus and Poisson's ratio; 0 keeps shape only."});
  visit("least_stretch", o.least_stretch,
        {.above = 0,
         .at_most = 1,
         .doc = "detected: tets are held from being compressed to less than this fraction of their length. "
                "Default: no limit."});
  visit("most_stretch", o.most_stretch,
        {.at_least = 1,
         .doc = "detected: tets are held from being stretched to more than this multiple of their length. "
                "Default: no limit."});
  visit("limit_stiffness", o.limit_stiffness,
        {.above = 0,
         .doc = "Weight of these limits, over that of the shape. More holds them closer, and needs more "
                "iterations."});
  visit("contact_stiffness", o.contact_stiffness,
        {.above = 0,
         .doc = "detected: weight with which a vertex is drawn out of another body, over its own inertia and "
                "stiffness. More leaves less penetration, and needs more iterations."});
  visit(
      "attachment_stiffness", o.attachment_stiffness,
      {.above = 0,
       .doc = "Weight of ball joints in the projections, over the inertia and stiffness of what they join."});
  visit(
      "quasi_newton_iterations", o.quasi_newton_iterations,
      {.at_least = 0,
       .doc = "certified: the most steps with the constant matrix after the projections and before Newton's "
              "iterations; they are several times cheaper than these."});
  visit("newton_iterations", o.newton_iterations,
        {.at_least = 0,
         .doc = "certified: the most Newton iterations after the projections; the step ends there, as exact "
                "as it is by then, and free of intersections whatever the number. Default: until the solve "
                "has converged."});
}

}  // namespace marrow
