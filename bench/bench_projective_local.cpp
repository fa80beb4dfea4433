// The two halves of an iteration of the projective stepper, in processor time on one thread: the local step
// in nanoseconds a constraint, the global step against a plain sum over memory.
//
// Local: a cube of 63,888 tets, turned, twisted a little, and moved at random. Global: full matrices, which
// are inverted, and those of cubes of tets, which are factorised.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <random>

#include "exec/parallel.h"
#include "kinematics/body.h"
#include "linalg/scalar/scalar_factor.h"
#include "mesh/shapes.h"
#include "sim/projective/local_step.h"

namespace {

using namespace marrow;

double read_processor_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

template <class Function>
double measure(int times, const Function& function) {
  function();
  const double start = read_processor_seconds();
  for (int i = 0; i < times; ++i) function();
  return (read_processor_seconds() - start) / times;
}

struct Cube {
  Kinematics kinematics;
  Points points;
  const Elements& elements() const { return kinematics.elements; }
};

Cube make_cube(int cells) {
  Cube cube;
  BoxShape box;
  box.size = Vec3::Ones();
  box.cells_x = box.cells_y = box.cells_z = cells;
  cube.points = add_soft_body("cube", build_shape(box), 1000, MassKind::Lumped, 0, cube.kinematics);
  return cube;
}

void print_local(const Cube& cube, double noise, double volume) {
  const Elements& elements = cube.elements();
  std::vector<Index> tets(elements.count());
  for (size_t e = 0; e < tets.size(); ++e) tets[e] = static_cast<Index>(e);
  std::mt19937 random(1);
  std::normal_distribution<double> shift(0, noise);
  VecX x(static_cast<Index>(3 * cube.points.size())), pulls;
  for (size_t i = 0; i < cube.points.size(); ++i) {
    const Vec3& p = cube.points[i];
    const Vec3 turned = Eigen::AngleAxisd(0.7 + 0.2 * p.x(), Vec3::UnitY()) * p;
    x.segment<3>(static_cast<Index>(3 * i)) = turned + Vec3(shift(random), shift(random), shift(random));
  }
  TetProjector projector(elements, tets, std::vector<ProjectionWeights>(tets.size(), {1, volume, 0}), {}, 0,
                         static_cast<Index>(cube.points.size()));
  const double seconds = measure(40, [&] { projector.project(x, pulls); });
  const double constraints = static_cast<double>(tets.size()) * (volume > 0 ? 2 : 1);
  fmt::print("| {} | {:g} | {} | {:.2f} | {:.1f} | {} |\n", volume > 0 ? "shape and volume" : "shape", noise,
             constraints, 1e3 * seconds, 1e9 * seconds / constraints, projector.single_count());
}

void print_global(const ScalarMatrix& A) {
  ScalarFactor factor;
  const double start = read_processor_seconds();
  if (!factor.factorize(A)) return;
  const double made = read_processor_seconds() - start;
  VecX b = VecX::Ones(3 * A.rows()), x;
  const double seconds = measure(A.rows() < 1000 ? 400 : 30, [&] { factor.solve(b, x); });
  fmt::print("| {} | {} | {:.1f} | {:.2f} | {:.3f} | {:.1f} |\n", A.rows(),
             factor.is_dense() ? "dense" : "sparse", 1e3 * made, factor.bytes() / 1e6, 1e3 * seconds,
             factor.bytes() / seconds / 1e9);
}

ScalarMatrix make_full_matrix(Index size) {
  std::vector<Triplet> triplets;
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j)
      triplets.push_back({i, j, i == j ? 2.0 * size : 1.0 / (1 + std::abs(i - j))});
  }
  return build_scalar_matrix(size, size, std::move(triplets));
}

ScalarMatrix make_stiffness(const Cube& cube) {
  const Elements& elements = cube.elements();
  const auto size = static_cast<Index>(cube.points.size());
  std::vector<Triplet> triplets;
  for (size_t e = 0; e < elements.count(); ++e) {
    const Index first = elements.offsets[e];
    for (Index a = first; a < first + 4; ++a) {
      for (Index b = first; b < first + 4; ++b) {
        triplets.push_back({elements.nodes[a], elements.nodes[b],
                            elements.volumes[e] * elements.gradients[a].dot(elements.gradients[b])});
      }
    }
  }
  for (Index i = 0; i < size; ++i) triplets.push_back({i, i, 1e-3});
  return build_scalar_matrix(size, size, std::move(triplets));
}

double measure_memory() {
  const std::vector<double> numbers(size_t{8} << 20, 1.0);
  volatile double sum = 0;
  const double seconds = measure(10, [&] {
    double parts[8] = {};
    for (size_t i = 0; i < numbers.size(); i += 8) {
      for (size_t k = 0; k < 8; ++k) parts[k] += numbers[i + k];
    }
    for (const double part : parts) sum = sum + part;
  });
  return static_cast<double>(numbers.size() * sizeof(double)) / seconds / 1e9;
}

}  // namespace

int main() {
  exec::set_thread_count(1);
  fmt::print("Processor time on one thread.\n\n");
  fmt::print(
      "| constraints | noise (m; cells of 0.045 m) | number | ms | ns a constraint | tets by themselves |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  const Cube cube = make_cube(22);
  for (const double noise : {0.0005, 0.002}) {
    for (const double volume : {0.0, 1.0}) print_local(cube, noise, volume);
  }
  fmt::print("\nA plain sum over 64 MB reads {:.1f} GB/s.\n\n", measure_memory());
  fmt::print("| rows | form | made in ms | MB read | ms a solve | GB/s |\n|---|---|---|---|---|---|\n");
  for (const Index size : {440, 880, 1760, 3520}) print_global(make_full_matrix(size));
  for (const int cells : {12, 20, 30}) print_global(make_stiffness(make_cube(cells)));
}
