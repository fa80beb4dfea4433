#include "kinematics/motion.h"

#include <algorithm>

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

}  // namespace

Vec3 compute_position(const Motion& motion, const Vec3& X, double t) {
  // A point at rest stays where it is to the last bit.
  const bool is_still = motion.keys.empty() && motion.velocity.isZero(0) && motion.angular_velocity.isZero(0);
  if (is_still) return X;
  if (motion.keys.empty()) {
    const Mat3 R = rotation_from_vector(t * motion.angular_velocity);
    return motion.about + t * motion.velocity + R * (X - motion.about);
  }
  const MotionKey pose = interpolate_keys(motion.keys, t);
  return motion.about + pose.translation + rotation_from_degrees(pose.rotation) * (X - motion.about);
}

}  // namespace marrow
