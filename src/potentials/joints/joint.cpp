#include "potentials/joints/joint.h"

namespace marrow {
namespace {

// The layout of a packed status: this many numbers, the first of which is 0 or one of the marks. [mark]
constexpr Index kNumbers = 4;
constexpr double kBroken = 1, kHeldUp = 2;

}  // namespace

VecX pack(const JointMemory& memory) {
  const auto count = static_cast<Index>(memory.joints.size());
  if (count == 0) return {};
  VecX numbers(1 + kNumbers * count + memory.multipliers.size());
  numbers[0] = count;
  for (Index j = 0; j < count; ++j) {
    const JointStatus& joint = memory.joints[static_cast<size_t>(j)];
    numbers.segment<kNumbers>(1 + kNumbers * j) = Vec4(joint.is_broken    ? kBroken
                                                       : joint.is_held_up ? kHeldUp
                                                                          : 0,
                                                       joint.coordinate, joint.force, joint.torque);
  }
  numbers.tail(memory.multipliers.size()) = memory.multipliers;
  return numbers;
}

JointMemory unpack_joint_memory(const VecX& numbers) {
  JointMemory memory;
  const Index most = numbers.size() == 0 ? 0 : static_cast<Index>(numbers.size() - 1) / kNumbers;
  if (numbers.size() == 0 || !(numbers[0] >= 0 && numbers[0] <= static_cast<double>(most))) return memory;
  const auto count = static_cast<Index>(numbers[0]);
  for (Index j = 0; j < count; ++j) {
    const Vec4 status = numbers.segment<kNumbers>(1 + kNumbers * j);
    memory.joints.push_back({status[0] == kBroken, status[0] == kHeldUp, status[1], status[2], status[3]});
  }
  memory.multipliers = numbers.tail(numbers.size() - 1 - kNumbers * count);
  return memory;
}

}  // namespace marrow
