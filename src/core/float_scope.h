// Floating point as our proofs need it, whatever the caller has set: round to nearest, and denormal numbers
// kept. Programs linked with -ffast-math flush them to zero in all of their threads.
#pragma once

#include <xmmintrin.h>

namespace marrow {

class FloatScope {
 public:
  FloatScope() : before_(_mm_getcsr()) {
    if ((before_ & kControl) != kDefault) _mm_setcsr((before_ & ~kControl) | kDefault);
  }
  ~FloatScope() {
    if ((before_ & kControl) != kDefault) _mm_setcsr(before_);
  }
  FloatScope(const FloatScope&) = delete;
  FloatScope& operator=(const FloatScope&) = delete;

 private:
  // Of x86's control register: flush to zero, rounding, masked exceptions, denormals are zero.
  static constexpr unsigned kControl = 0xffc0;  // [mark]
  static constexpr unsigned kDefault = 0x1f80;  // [mark]

  unsigned before_;
};

}  // namespace marrow
