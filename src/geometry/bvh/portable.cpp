// Tree queries for any processor: four numbers at once, which every 64-bit processor can do.
#include <bit>
#include <cstdint>

#include "geometry/bvh/kernel.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace marrow {
namespace {

struct Portable {
  static constexpr int kWidth = 4;
  typedef float Floats __attribute__((vector_size(16)));
  typedef std::int32_t Ints __attribute__((vector_size(16)));

  static Floats load(const float* from) { return *reinterpret_cast<const Floats*>(from); }
  static Ints load(const Index* from) { return *reinterpret_cast<const Ints*>(from); }

  static unsigned bits(const Ints& mask) {
#if defined(__SSE2__)
    return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(mask)));
#else
    return static_cast<unsigned>((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
  }

  static IndexPair* append(unsigned bits, Index a, const Index* ids, IndexPair* next) {
    for (; bits != 0; bits &= bits - 1) *next++ = {a, ids[std::countr_zero(bits)]};
    return next;
  }

  static IndexPair* append_sorted(unsigned bits, Index a, const Index* ids, IndexPair* next) {
    for (; bits != 0; bits &= bits - 1) {
      const Index id = ids[std::countr_zero(bits)];
      *next++ = {a < id ? a : id, a < id ? id : a};
    }
    return next;
  }
};

}  // namespace

void find_leaf_pairs_portable(const BvhView& a, const BvhView& b, BvhPairing pairing, size_t begin,
                              size_t end, PairBuffer& out) {
  choose_by_corners<Portable>(a.corner_count, b.corner_count)(a, b, pairing, begin, end, out);
}

FindLeafPairs choose_find_leaf_pairs() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt")) {
    return find_leaf_pairs_avx2;
  }
#endif
  return find_leaf_pairs_portable;
}

}  // namespace marrow
