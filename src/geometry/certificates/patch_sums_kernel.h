// The text of patch_sums.h, compiled for different processors: four numbers at once, of which three are used.
#pragma once

#include "geometry/certificates/patch_sums.h"

namespace marrow::patch_sums {
namespace {

using Four [[gnu::vector_size(32)]] = double;

// Three numbers, and a zero.
[[gnu::always_inline]] inline void load(const double* from, Four& to) {
  to = Four{from[0], from[1], from[2], 0};
}

void add_hinges(const Hinge* hinges, size_t count, const double* x, double* H, double* B) {
  Four Hx = {}, Hy = {}, Hz = {}, Bx = {}, By = {}, Bz = {};
  for (size_t i = 0; i < count; ++i) {
    const Hinge& h = hinges[i];
    Four p, q, r, s;
    load(x + 3 * h.vertices[0], p);
    load(x + 3 * h.vertices[1], q);
    load(x + 3 * h.vertices[2], r);
    load(x + 3 * h.vertices[3], s);
    const Four l = h.weights[0] * (q - p) + h.weights[1] * (r - p) + h.weights[2] * (s - p);
    Hx += l[0] * l;
    Hy += l[1] * l;
    Hz += l[2] * l;
    Bx += h.rest[0] * l;
    By += h.rest[1] * l;
    Bz += h.rest[2] * l;
  }
  H[0] += Hx[0];
  H[1] += Hx[1];
  H[2] += Hx[2];
  H[3] += Hy[1];
  H[4] += Hy[2];
  H[5] += Hz[2];
  for (int k = 0; k < 3; ++k) {
    B[k] += Bx[k];
    B[3 + k] += By[k];
    B[6 + k] += Bz[k];
  }
}

void add_triangles(const Moments& m, size_t begin, size_t end, const double* x, double* first,
                   double* second) {
  Four middle;
  load(m.middle, middle);
  Four sum = {}, Sx = {}, Sy = {}, Sz = {};
  for (size_t i = begin; i < end; ++i) {
    const std::int32_t* t = m.triangles + 3 * i;
    Four a, b, c, centroid;
    load(x + 3 * t[0], a);
    load(x + 3 * t[1], b);
    load(x + 3 * t[2], c);
    load(m.centroids + 3 * i, centroid);
    const Four moment = m.areas[i] / 3 * ((a - middle) + (b - middle) + (c - middle));
    sum += moment;
    Sx += moment[0] * centroid;
    Sy += moment[1] * centroid;
    Sz += moment[2] * centroid;
  }
  for (int k = 0; k < 3; ++k) {
    first[k] += sum[k];
    second[k] += Sx[k];
    second[3 + k] += Sy[k];
    second[6 + k] += Sz[k];
  }
}

}  // namespace
}  // namespace marrow::patch_sums
