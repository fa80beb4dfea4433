// The innermost loops of the pull-back work on plain numbers, so that one text serves several instruction
// sets.
//
// Target is a type of the file that uses it: files compiled for different instruction sets must not share
// code by the linker's choice (math/lanes.h).
#pragma once

#include "core/types.h"

namespace marrow::pull_back {

// A list of lists: those of item i are values[offsets[i]] to values[offsets[i + 1]].
struct Lists {
  const Index* offsets;
  const Index* values;
};

// The arguments of H_ij = Σ_p w_pi ⊗ Σ_q K_pq ⊗ w_qj for one group j.
struct Arguments {
  const Index* points;  // with a neighbour that j moves
  Index point_count;
  Lists neighbors;        // by point
  const double* blocks;   // K, nine numbers for each neighbour
  const Index* own;       // by point: where the weights of j start, or kNone
  Lists rows;             // by point: where the weights of its groups start
  const Index* groups;    // of each of these
  const Index* place;     // by group up to j: its place among the sums, or kNone
  Index last;             // j
  const double* weights;  // in fours
  Index width;            // nodes of a group
  double* sums;           // by partner and its node: 36 numbers for each four of j's nodes
};

// Packs: fours of weights in a group.
template <int Packs, class Target>
void run(const Arguments& a) {
  constexpr int kSize = 36 * Packs;  // [derived: 9 numbers of a block for each of four weights]
  for (Index t = 0; t < a.point_count; ++t) {
    const Index p = a.points[t];
    // Y = Σ_q K_pq ⊗ w_q
    double Y[kSize] = {};
    for (Index m = a.neighbors.offsets[p]; m < a.neighbors.offsets[p + 1]; ++m) {
      const Index from = a.own[a.neighbors.values[m]];
      if (from == kNone) continue;
      const double* w = a.weights + from;
      const double* block = a.blocks + 9 * static_cast<std::ptrdiff_t>(m);
      for (int pack = 0; pack < Packs; ++pack) {
        for (int k = 0; k < 9; ++k) {
          for (int c = 0; c < 4; ++c) Y[36 * pack + 4 * k + c] += block[k] * w[4 * pack + c];
        }
      }
    }
    // H_i += w_i ⊗ Y
    for (Index k = a.rows.offsets[p]; k < a.rows.offsets[p + 1]; ++k) {
      const Index group = a.groups[k];
      // A point of no element that counts has a block of zeros, for groups that share no element.
      if (group > a.last || a.place[group] == kNone) continue;
      double* sum = a.sums + static_cast<std::ptrdiff_t>(a.place[group]) * a.width * kSize;
      const double* w = a.weights + a.rows.values[k];
      for (Index node = 0; node < a.width; ++node, sum += kSize) {
        for (int m = 0; m < kSize; ++m) sum[m] += w[node] * Y[m];
      }
    }
  }
}

template <class Target>
void run_packs(int packs, const Arguments& a) {
  if (packs == 1) run<1, Target>(a);
  if (packs == 2) run<2, Target>(a);
  if (packs == 3) run<3, Target>(a);
}

// For any x86-64, and for those with AVX2.
void run_portable(int packs, const Arguments& a);
void run_avx2(int packs, const Arguments& a);

}  // namespace marrow::pull_back
