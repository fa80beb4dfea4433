// A rigid sphere pressed into an elastic half-space, against Hertz's closed form for a small contact radius
// a:
//
//   F = 4/3 E* √R δ^(3/2)     a = √(R δ)     p(ρ) = p₀ √(1 − ρ²/a²),  p₀ = 2E*/π √(δ/R)     E* = E/(1 − ν²)
//
// The half-space is a block of four contact radii whose outer faces follow the field of that pressure
// (Boussinesq's point loads), so that its size does not show. The contact radius is read off the second
// moment of the pressure, 2a²/5.
#pragma once

namespace marrow::test {

struct HertzResult {
  int nodes = 0;
  int iterations = 0;
  bool is_solved = false;
  // Each divided by its closed form.
  double force = 0;
  double radius = 0;
  double inner_pressure = 0;  // nodes with ρ <= a/2
};

// cells: elements across the contact radius.
HertzResult solve_hertz(int cells, bool is_by_area = false);

}  // namespace marrow::test
