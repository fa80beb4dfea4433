#include "scenes/hertz.h"

#include <cmath>
#include <numbers>

#include "mesh/surface.h"
#include "mesh/tet_grid.h"
#include "potentials/elastic/elasticity.h"
#include "sim/simulate.h"

namespace marrow::test {
namespace {

constexpr double kYoung = 1e6, kPoisson = 0.3;
constexpr double kSphereRadius = 1, kContactRadius = 0.02;
constexpr double kModulus = kYoung / (1 - kPoisson * kPoisson);
constexpr double kDepth = kContactRadius * kContactRadius / kSphereRadius;  // δ
constexpr double kDHat = 0.01 * kDepth;
constexpr double kBlock = 4 * kContactRadius;       // half its width, and its height
constexpr double kFine = 1.25 * kContactRadius;     // half the width of the evenly meshed part
constexpr double kFineDepth = kContactRadius / 2;   // and its depth
constexpr int kFieldRings = 12, kFieldSpokes = 24;  // of the pressure, as the far field sees it

// Grid lines from 0 to kBlock: even up to `even`, then as wide as their distance asks for. All widths go down
// with the cell: with a fixed growth from one to the next the mesh far away would stay as it is, and its
// error too.
std::vector<double> make_half_axis(double cell, double even) {
  std::vector<double> axis = {0};
  while (axis.back() < kBlock) axis.push_back(axis.back() + cell * std::max(1.0, axis.back() / even));
  const double stretch = (kBlock - even) / (axis.back() - even);
  for (double& x : axis) x = x > even ? even + (x - even) * stretch : x;
  return axis;
}

std::vector<double> mirror(const std::vector<double>& half) {
  std::vector<double> axis;
  for (size_t i = half.size(); i-- > 1;) axis.push_back(-half[i]);
  axis.insert(axis.end(), half.begin(), half.end());
  return axis;
}

// The block below y = 0.
Mesh build_block(double cell) {
  const std::vector<double> x = mirror(make_half_axis(cell, kFine)), down = make_half_axis(cell, kFineDepth);
  TetGrid grid;
  const int across = static_cast<int>(x.size()) - 1;
  grid.cells = {across, static_cast<int>(down.size()) - 1, across};
  return build_tet_grid(grid, [&](const LatticePoint& p) {
    return Vec3(x[static_cast<size_t>(p[0])], -down[down.size() - 1 - static_cast<size_t>(p[1])],
                x[static_cast<size_t>(p[2])]);
  });
}

// The lowest part of the sphere, its lowest point at y = d̂: rings of triangles.
Mesh build_cap(double cell) {
  Mesh mesh;
  const int rings = static_cast<int>(std::ceil(2 * kContactRadius / cell));
  const auto place = [&](double rho, double angle) {
    const double y = kSphereRadius - std::sqrt(kSphereRadius * kSphereRadius - rho * rho);
    return Vec3(rho * std::cos(angle), y + kDHat, rho * std::sin(angle));
  };
  mesh.points.push_back(place(0, 0));
  std::vector<Index> first = {0};
  for (int r = 1; r <= rings; ++r) {
    first.push_back(static_cast<Index>(mesh.points.size()));
    for (int k = 0; k < 6 * r; ++k) mesh.points.push_back(place(r * cell, std::numbers::pi * k / (3 * r)));
  }
  for (int r = 1; r <= rings; ++r) {
    for (int side = 0; side < 6; ++side) {
      for (int k = 0; k < r; ++k) {
        const auto outer = [&](int i) { return first[static_cast<size_t>(r)] + (side * r + i) % (6 * r); };
        const auto inner = [&](int i) {
          return r == 1 ? 0 : first[static_cast<size_t>(r - 1)] + (side * (r - 1) + i) % (6 * (r - 1));
        };
        mesh.triangles.push_back({outer(k), inner(k), outer(k + 1)});
        if (k + 1 < r) mesh.triangles.push_back({inner(k), inner(k + 1), outer(k + 1)});
      }
    }
  }
  return mesh;
}

// Displacement of a half-space y < 0 under a force F down at the origin (Boussinesq).
Vec3 compute_point_field(const Vec3& X, double force) {
  const double shear = kYoung / (2 * (1 + kPoisson)), r = X.norm(), z = -X.y();
  const double rho = std::hypot(X.x(), X.z());
  const double scale = force / (4 * std::numbers::pi * shear);
  const double down = scale * (z * z / (r * r * r) + 2 * (1 - kPoisson) / r);
  const double outwards = scale * (rho * z / (r * r * r) - (1 - 2 * kPoisson) * rho / (r * (r + z)));
  return {rho > 0 ? outwards * X.x() / rho : 0, -down, rho > 0 ? outwards * X.z() / rho : 0};
}

// … under Hertz's pressure: rings of equal force, each at the radius that halves its force.
Vec3 compute_far_field(const Vec3& X, double force) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < kFieldRings; ++i) {
    // The share of the force within ρ is 1 − (1 − ρ²/a²)^(3/2).
    const double share = (i + 0.5) / kFieldRings;
    const double rho = kContactRadius * std::sqrt(1 - std::pow(1 - share, 2.0 / 3));
    for (int k = 0; k < kFieldSpokes; ++k) {
      const double angle = 2 * std::numbers::pi * k / kFieldSpokes;
      const Vec3 at(rho * std::cos(angle), 0, rho * std::sin(angle));
      sum += compute_point_field(X - at, force / (kFieldRings * kFieldSpokes));
    }
  }
  return sum;
}

void prescribe(Index node, const Vec3& X, const Vec3& displacement, Model& model) {
  PrescribedNodes group;
  group.nodes = {node};
  group.initial = {X};
  group.motion.velocity = displacement;  // reached at 1 s
  model.prescribed.push_back(std::move(group));
}

struct Press {
  Model model;
  State state;
  std::vector<char> is_outer;  // nodes of the block that follow the far field
  Index block_nodes = 0;
};

Press build_press(int cells, double force) {
  Press press;
  Model& model = press.model;
  model.materials.push_back(make_material(MaterialModel::NeoHookean, kYoung, kPoisson));
  const double cell = kContactRadius / cells;
  Points nodes = add_soft_body("block", build_block(cell), 1000, MassKind::Lumped, 0, model.kinematics);
  press.block_nodes = model.kinematics.node_count;
  press.is_outer.assign(nodes.size(), 0);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Vec3& X = nodes[i];
    const double edge = std::max({std::abs(X.x()), std::abs(X.z()), -X.y()});
    if (edge < kBlock - 1e-9) continue;
    press.is_outer[i] = 1;
    prescribe(static_cast<Index>(i), X, compute_far_field(X, force), model);
  }
  const Points cap = add_obstacle("sphere", build_cap(cell / 2), model.kinematics);
  for (const Vec3& X : cap) {
    prescribe(static_cast<Index>(nodes.size()), X, Vec3(0, -(kDepth + kDHat), 0), model);
    nodes.push_back(X);
  }
  model.mass = build_scalar_matrix(model.kinematics.node_count, model.kinematics.node_count, {});
  press.state.nodes.resize(3 * static_cast<Index>(nodes.size()));
  for (size_t i = 0; i < nodes.size(); ++i)
    press.state.nodes.segment<3>(3 * static_cast<Index>(i)) = nodes[i];
  press.state.velocities = VecX::Zero(press.state.nodes.size());
  press.model.initial_nodes = press.state.nodes;
  model.time = {0.25, 1, 1, Integrator::QuasiStatic};
  model.newton.tolerance = 1e-6;
  model.contact.d_hat = kDHat;
  model.contact.reference_length = model.size = 2 * kBlock;
  return press;
}

// The forces of contact on the nodes of the block: in equilibrium, minus the elastic ones.
VecX compute_contact_forces(const Press& press) {
  Elasticity elasticity(press.model.kinematics.elements, press.model.materials,
                        press.model.kinematics.node_count);
  VecX gradient = VecX::Zero(press.state.nodes.size());
  elasticity.add_gradient(press.state.nodes, 1, gradient);
  for (Index i = 0; i < press.block_nodes; ++i) {
    if (press.is_outer[static_cast<size_t>(i)]) gradient.segment<3>(3 * i).setZero();
  }
  return gradient;
}

}  // namespace

HertzResult solve_hertz(int cells, bool is_by_area) {
  Press press = build_press(cells, 4.0 / 3 * kModulus * std::sqrt(kSphereRadius) * std::pow(kDepth, 1.5));
  press.model.contact.is_by_area = is_by_area;
  HertzResult result;
  result.nodes = press.block_nodes;
  double gap = 0;
  RunHooks hooks;
  hooks.on_step = [&](const State&, const StepReport& report) { gap = report.smallest_gap; };
  const VecX initial = press.state.nodes;
  const RunReport run = simulate(press.model, press.state, hooks);
  result.iterations = run.newton_iterations;
  result.is_solved = run.end == RunEnd::Finished;

  const VecX forces = compute_contact_forces(press);
  const double depth = kDepth + gap, a = std::sqrt(kSphereRadius * depth);
  const double p0 = 2 * kModulus / std::numbers::pi * std::sqrt(depth / kSphereRadius);
  const double cell = kContactRadius / cells;
  double force = 0, moment = 0, inner = 0, expected_inner = 0;
  for (Index i = 0; i < press.block_nodes; ++i) {
    const double down = -forces[3 * i + 1];
    const Vec3 X = initial.segment<3>(3 * i), x = press.state.nodes.segment<3>(3 * i);
    force += down;
    moment += down * (x.x() * x.x() + x.z() * x.z());
    const double rho = std::hypot(X.x(), X.z());
    if (X.y() < -1e-9 || rho > 0.5 * kContactRadius + 1e-9) continue;
    inner += down;
    expected_inner += p0 * std::sqrt(1 - rho * rho / (a * a)) * cell * cell;
  }
  result.force = force / (4.0 / 3 * kModulus * std::sqrt(kSphereRadius) * std::pow(depth, 1.5));
  result.radius = std::sqrt(2.5 * moment / force) / a;
  result.inner_pressure = inner / expected_inner;
  return result;
}

}  // namespace marrow::test
