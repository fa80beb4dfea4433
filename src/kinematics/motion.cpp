#include "kinematics/motion.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace marrow {
namespace {

MotionKey interpolate_keys(const std::vector<MotionKey>& keys, double t) {
  const auto next = std::upper_bound(keys.begin(), keys.end(), t,
                                     [](double time, const MotionKey& key) { return time < key.time; });
  if (next == keys.begin()) return keys.front();
  if (next == keys.end()) return keys.back();
  const MotionKey& a = *(next - 1);
  const MotionKey& b = *next;
  const double u = (t - a.time) / (b.time - a.time);
  return {t, (1 - u) * a.translation + u * b.translation, (1 - u) * a.rotation + u * b.rotation};
}

bool is_still(const Motion& motion) {
  return motion.keys.empty() && motion.formulas.is_empty() && motion.velocity.isZero(0) &&
         motion.angular_velocity.isZero(0);
}

}  // namespace

bool is_at_rest(const PrescribedNodes& group) {
  return is_still(group.motion) && group.sequence.positions.empty() && !std::isfinite(group.release);
}

Vec3 compute_position(const Motion& motion, const Vec3& X, double t) {
  // A point at rest stays where it is to the last bit.
  if (is_still(motion)) return X;
  const double local = std::max(0.0, std::min(t, motion.end) - motion.start);
  const Vec3 arm = X - motion.about;
  if (!motion.keys.empty()) {
    const MotionKey pose = interpolate_keys(motion.keys, local);
    return motion.about + pose.translation + rotation_from_degrees(pose.rotation) * arm;
  }
  const MotionFormulas& formulas = motion.formulas;
  const Mat3 turn = rotation_from_vector(local * motion.angular_velocity);
  Vec3 moved = motion.about + local * motion.velocity +
               (formulas.translation ? formulas.translation->evaluate(local) : Vec3(Vec3::Zero()));
  if (formulas.displacement) moved += formulas.displacement->evaluate(local, X);
  const double scale = formulas.scale ? formulas.scale->evaluate(local) : 1;
  if (!formulas.angle) return moved + scale * (turn * arm);
  const double degrees = formulas.angle->evaluate(local);
  return moved +
         scale * (turn * (rotation_from_vector(degrees * kRadians * formulas.axis.normalized()) * arm));
}

Points compute_positions(const PrescribedNodes& group, double t) {
  const MotionSequence& sequence = group.sequence;
  Points x;
  x.reserve(group.initial.size());
  if (sequence.positions.empty()) {
    for (const Vec3& X : group.initial) x.push_back(compute_position(group.motion, X, t));
    return x;
  }
  // Interpolates between two positions: from the initial one to the first, or along the list.
  const double count = static_cast<double>(sequence.positions.size());
  const bool is_before = t < sequence.first;
  const double place = is_before ? 0 : std::min((t - sequence.first) / sequence.step, count - 1);
  const auto k = static_cast<size_t>(place);
  const Points& from = is_before ? group.initial : sequence.positions[k];
  const Points& to = sequence.positions[is_before ? 0 : std::min(k + 1, sequence.positions.size() - 1)];
  const double u = is_before ? t / sequence.first : place - static_cast<double>(k);
  for (size_t i = 0; i < from.size(); ++i) x.push_back((1 - u) * from[i] + u * to[i]);
  return x;
}

}  // namespace marrow
