// The place of a cell on the Hilbert curve through a cube of 2²⁰ cells a side, or of coarser ones. Neighbours
// on the curve are neighbours in space, which makes compact leaves: a third fewer pairs of leaves to test
// than along the Morton curve.
//
// One level of the curve visits the eight octants in Gray-code order, seen from its entry corner e and along
// its direction d; each octant holds a smaller curve with its own (e, d). After C. Hamilton, "Compact Hilbert
// Indices", Dalhousie University CS-2006-07, section 2.1: with octant l and n = 3,
//
//   t = (l xor e) rotated right by d + 1,   w = the place of t in Gray-code order,
//   e ← e xor (e(w) rotated left by d + 1),   d ← d + d(w) + 1 mod 3
//
// The 24 pairs (e, d) are states of a machine that here reads two levels at a time.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace marrow {

inline constexpr int kHilbertBits = 20;  // per axis

namespace hilbert {

constexpr unsigned gray(unsigned i) { return i ^ i >> 1; }
constexpr unsigned rotate_right(unsigned bits, unsigned by) { return (bits >> by | bits << (3 - by)) & 7; }
constexpr unsigned rotate_left(unsigned bits, unsigned by) { return (bits << by | bits >> (3 - by)) & 7; }

// The corner where the curve in the w-th octant starts.
constexpr unsigned entry(unsigned w) { return w == 0 ? 0 : gray((w - 1) / 2 * 2); }

// The axis along which it runs.
constexpr unsigned direction(unsigned w) {
  if (w == 0) return 0;
  return static_cast<unsigned>(std::countr_one(w % 2 == 0 ? w - 1 : w)) % 3;
}

struct Step {
  unsigned place, state;
};

// One level: state = 3e + d.
constexpr Step descend(unsigned state, unsigned octant) {
  const unsigned e = state / 3;
  const unsigned d = state % 3;
  const unsigned turn = (d + 1) % 3;
  const unsigned t = rotate_right(octant ^ e, turn);
  const unsigned w = t ^ t >> 1 ^ t >> 2;
  return {w, 3 * (e ^ rotate_left(entry(w), turn)) + (d + direction(w) + 1) % 3};
}

// Two levels: the places of both in the lower six bits, 64 times the next state above.
using Table = std::array<std::array<std::uint16_t, 64>, 24>;

constexpr Table make_table() {
  Table table{};
  for (unsigned state = 0; state < 24; ++state) {
    for (unsigned octants = 0; octants < 64; ++octants) {
      const Step first = descend(state, octants >> 3);
      const Step second = descend(first.state, octants & 7);
      table[state][octants] = static_cast<std::uint16_t>(second.state << 6 | first.place << 3 | second.place);
    }
  }
  return table;
}

inline constexpr Table kTable = make_table();

// Moves bit i to bit 3i.
constexpr std::uint64_t spread(std::uint64_t bits) {
  bits = (bits | bits << 32) & 0x1f00000000ffff;
  bits = (bits | bits << 16) & 0x1f0000ff0000ff;
  bits = (bits | bits << 8) & 0x100f00f00f00f00f;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
  return (bits | bits << 2) & 0x1249249249249249;
}

}  // namespace hilbert

// Coordinates below 2²⁰; the code in the cube of 2^levels cells a side that contains the cell, levels even.
constexpr std::uint64_t hilbert_code(std::uint32_t x, std::uint32_t y, std::uint32_t z,
                                     int levels = kHilbertBits) {
  const std::uint64_t octants = hilbert::spread(x) << 2 | hilbert::spread(y) << 1 | hilbert::spread(z);
  std::uint64_t code = 0;
  unsigned state = 0;
  for (int level = kHilbertBits - 2; level >= kHilbertBits - levels; level -= 2) {
    const unsigned step = hilbert::kTable[state][octants >> (3 * level) & 63];
    code = code << 6 | (step & 63);
    state = step >> 6;
  }
  return code;
}

}  // namespace marrow
