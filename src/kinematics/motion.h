// Prescribed motion makes nodes follow a given path, whatever the forces.
//
//   x(t) = about + translation(τ) + R(τ) s(τ) (X − about) + u(X, τ),   τ = min(t, end) − start, at least 0
//
// translation and R come from constant velocities, from keyframes, or from formulas; s, a growth, and u,
// which need not be rigid, from formulas. A mesh sequence gives the positions themselves instead.
#pragma once

#include <limits>
#include <optional>

#include "core/types.h"
#include "math/expression.h"

namespace marrow {

struct MotionKey {
  double time = 0;                  // [s]
  Vec3 translation = Vec3::Zero();  // [m], from the initial place
  Vec3 rotation = Vec3::Zero();     // [degrees], R = Rz Ry Rx, from the initial orientation
};

// A motion given by formulas; absent parts do not change.
struct MotionFormulas {
  std::optional<VectorExpression> translation;        // [m]
  std::optional<VectorPlaceExpression> displacement;  // [m], of each point by its initial place
  std::optional<Expression> angle;                    // [degrees], about the axis
  Vec3 axis = Vec3::UnitY();
  std::optional<Expression> scale;

  bool is_empty() const { return !translation && !displacement && !angle && !scale; }
};

// A rigid motion of a set of nodes, with growth if there is any. Without any of its parts it is at rest.
struct Motion {
  Vec3 about = Vec3::Zero();             // the point rotated about; it moves with the translation
  Vec3 velocity = Vec3::Zero();          // [m/s]
  Vec3 angular_velocity = Vec3::Zero();  // [rad/s]
  std::vector<MotionKey> keys;           // ascending in time; the first and last pose hold outside
  MotionFormulas formulas;
  double start = 0;                                      // [s]
  double end = std::numeric_limits<double>::infinity();  // [s]
};

// Positions at equally spaced times, joined linearly; the first is approached from the initial place at time
// 0, and the last is kept.
struct MotionSequence {
  double first = 0;               // time of the first [s]
  double step = 0;                // from one to the next [s]
  std::vector<Points> positions;  // each: one per node of the group
};

struct PrescribedNodes {
  std::vector<Index> nodes;
  Points initial;  // where they are at time 0
  Motion motion;
  MotionSequence sequence;                                   // if not empty, instead of the motion
  double release = std::numeric_limits<double>::infinity();  // in steps that end later they are free [s]

  bool is_active(double t) const { return t <= release; }
};

// Whether the nodes never move; they then stay where they are to the last bit.
bool is_at_rest(const PrescribedNodes& group);

// The position at time t of a point that is at X at time 0.
Vec3 compute_position(const Motion& motion, const Vec3& X, double t);

// The positions of the nodes of the group at time t, in the order of its list.
Points compute_positions(const PrescribedNodes& group, double t);

}  // namespace marrow
