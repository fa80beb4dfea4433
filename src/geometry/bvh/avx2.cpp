// Tree queries for processors with AVX2: eight numbers at once, and pairs packed without a branch.
//
// Everything that other files use too is included before the pragma, so that it is compiled for any
// processor.
#include <array>
#include <bit>
#include <cstdint>

#include "geometry/bvh/node.h"
#include "geometry/bvh/round.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

#include <immintrin.h>

#pragma GCC target("avx2,bmi,popcnt")

#include "geometry/bvh/kernel.h"

namespace marrow {
namespace {

// For every mask the places of its bits, first to last, in the order 0 1 4 5 2 3 6 7, which the unpacking
// below turns into pairs in order.
using PackTable = std::array<std::array<std::int32_t, 8>, 256>;

constexpr PackTable make_pack_table() {
  PackTable table{};
  constexpr size_t kPlaces[8] = {0, 1, 4, 5, 2, 3, 6, 7};
  for (unsigned mask = 0; mask < 256; ++mask) {
    size_t count = 0;
    for (std::int32_t lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) != 0) table[mask][kPlaces[count++]] = lane;
    }
  }
  return table;
}

alignas(32) constexpr PackTable kPackTable = make_pack_table();

struct Avx2 {
  static constexpr int kWidth = 8;
  typedef float Floats __attribute__((vector_size(32)));
  typedef std::int32_t Ints __attribute__((vector_size(32)));

  static Floats load(const float* from) { return *reinterpret_cast<const Floats*>(from); }
  static Ints load(const Index* from) { return *reinterpret_cast<const Ints*>(from); }

  static unsigned bits(const Ints& mask) {
    return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
  }

  // Writes eight pairs, of which the first as many as bits are set count.
  static IndexPair* store(unsigned bits, __m256i first, __m256i second, IndexPair* next) {
    auto* to = reinterpret_cast<__m256i*>(next);
    _mm256_storeu_si256(to, _mm256_unpacklo_epi32(first, second));
    _mm256_storeu_si256(to + 1, _mm256_unpackhi_epi32(first, second));
    return next + std::popcount(bits);
  }

  static __m256i pack(unsigned bits, const Index* ids) {
    const __m256i places = _mm256_load_si256(reinterpret_cast<const __m256i*>(kPackTable[bits].data()));
    return _mm256_permutevar8x32_epi32(_mm256_load_si256(reinterpret_cast<const __m256i*>(ids)), places);
  }

  static IndexPair* append(unsigned bits, Index a, const Index* ids, IndexPair* next) {
    return store(bits, _mm256_set1_epi32(a), pack(bits, ids), next);
  }

  static IndexPair* append_sorted(unsigned bits, Index a, const Index* ids, IndexPair* next) {
    const __m256i first = _mm256_set1_epi32(a);
    const __m256i second = pack(bits, ids);
    return store(bits, _mm256_min_epi32(first, second), _mm256_max_epi32(first, second), next);
  }
};

}  // namespace

void find_leaf_pairs_avx2(const BvhView& a, const BvhView& b, BvhPairing pairing, size_t begin, size_t end,
                          PairBuffer& out) {
  choose_by_corners<Avx2>(a.corner_count, b.corner_count)(a, b, pairing, begin, end, out);
}

}  // namespace marrow

#else

namespace marrow {

// Compilers that cannot switch the instruction set within a file.
void find_leaf_pairs_avx2(const BvhView& a, const BvhView& b, BvhPairing pairing, size_t begin, size_t end,
                          PairBuffer& out) {
  find_leaf_pairs_portable(a, b, pairing, begin, end, out);
}

}  // namespace marrow

#endif
