// Sheets and wires for tests.
#pragma once

#include <cmath>
#include <numbers>

#include "mesh/mesh.h"

namespace marrow::test {

// A flat sheet in the plane y = 0, x from 0 to length, z from 0 to width; cells cut along alternating or
// equal diagonals.
inline Mesh make_sheet(double length, double width, int nx, int nz, bool is_alternating = false) {
  Mesh mesh;
  for (int i = 0; i <= nx; ++i) {
    for (int k = 0; k <= nz; ++k) mesh.points.emplace_back(length * i / nx, 0, width * k / nz);
  }
  const auto at = [&](int i, int k) { return static_cast<Index>(i * (nz + 1) + k); };
  for (int i = 0; i < nx; ++i) {
    for (int k = 0; k < nz; ++k) {
      const Index a = at(i, k), b = at(i + 1, k), c = at(i + 1, k + 1), d = at(i, k + 1);
      if (is_alternating && (i + k) % 2 == 1) {
        mesh.triangles.push_back({a, d, b});
        mesh.triangles.push_back({b, d, c});
      } else {
        mesh.triangles.push_back({a, c, b});
        mesh.triangles.push_back({a, d, c});
      }
    }
  }
  return mesh;
}

// A straight wire along x.
inline Mesh make_wire(double length, int edges) {
  Mesh mesh;
  for (int i = 0; i <= edges; ++i) mesh.points.emplace_back(length * i / edges, 0, 0);
  for (int i = 0; i < edges; ++i) mesh.edges.push_back({i, i + 1});
  return mesh;
}

// A wire bent into three quarters of a circle.
inline Mesh make_arc(double radius, int edges) {
  Mesh mesh = make_wire(1, edges);
  for (int i = 0; i <= edges; ++i) {
    const double angle = 1.5 * std::numbers::pi * i / edges;
    mesh.points[static_cast<size_t>(i)] = radius * Vec3(std::cos(angle), std::sin(angle), 0);
  }
  return mesh;
}

}  // namespace marrow::test
