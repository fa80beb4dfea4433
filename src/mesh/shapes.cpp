#include "mesh/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "core/error.h"
#include "mesh/tet_grid.h"

namespace marrow {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kMaxTets = 50e6;

// The square [-1, 1]² onto the unit disc: squares become circles, and equal steps along a side equal angles.
Vec2 square_to_disc(const Vec2& p) {
  if (p.isZero(0)) return p;
  if (std::abs(p.x()) >= std::abs(p.y())) {
    const double angle = kPi / 4 * p.y() / p.x();
    return p.x() * Vec2(std::cos(angle), std::sin(angle));
  }
  const double angle = kPi / 4 * p.x() / p.y();
  return p.y() * Vec2(std::sin(angle), std::cos(angle));
}

// The cube [-1, 1]³ onto the unit ball: cubes become spheres, equal steps along a face's axes equal angles.
Vec3 cube_to_ball(const Vec3& p) {
  const double radius = p.cwiseAbs().maxCoeff();
  if (radius == 0) return p;
  const Vec3 direction = p.unaryExpr([&](double c) { return std::tan(kPi / 4 * c / radius); });
  return radius * direction.normalized();
}

// Lattice coordinate to [-1, 1].
double centred(int i, int cells) { return 2.0 * i / cells - 1; }

Vec2 disc_point(const LatticePoint& p, size_t axis_a, size_t axis_b, int resolution) {
  return square_to_disc({centred(p[axis_a], 2 * resolution), centred(p[axis_b], 2 * resolution)});
}

Mesh build_box(const Vec3& size, const std::array<int, 3>& cells) {
  return build_tet_grid({.cells = cells}, [&](const LatticePoint& p) {
    return Vec3(0.5 * size.x() * centred(p[0], cells[0]), 0.5 * size.y() * centred(p[1], cells[1]),
                0.5 * size.z() * centred(p[2], cells[2]));
  });
}

Mesh build(const BoxShape& s) { return build_box(s.size, {s.cells_x, s.cells_y, s.cells_z}); }

Mesh build(const PlateShape& s) {
  return build_box({s.width, s.thickness, s.depth}, {s.cells_x, s.cells_y, s.cells_z});
}

Mesh build(const CardShape& s) {
  return build_box({s.width, s.height, s.thickness}, {s.cells_x, s.cells_y, 1});
}

// Diagonals alternate, so that no direction bends more easily than its mirror image.
// Triangles of a grid of points, rows after each other, with diagonals that alternate.
void add_grid_triangles(int cells, int rows, Mesh& mesh) {
  for (int k = 0; k < rows; ++k) {
    for (int i = 0; i < cells; ++i) {
      const Index a = k * (cells + 1) + i, b = a + 1, d = a + cells + 1, c = d + 1;
      if ((i + k) % 2 == 0) {
        mesh.triangles.push_back({a, d, c});
        mesh.triangles.push_back({a, c, b});
      } else {
        mesh.triangles.push_back({a, d, b});
        mesh.triangles.push_back({b, d, c});
      }
    }
  }
}

Mesh build(const SheetShape& s) {
  Mesh mesh;
  for (int k = 0; k <= s.cells_z; ++k) {
    for (int i = 0; i <= s.cells_x; ++i)
      mesh.points.emplace_back(0.5 * s.width * centred(i, s.cells_x), 0,
                               0.5 * s.depth * centred(k, s.cells_z));
  }
  add_grid_triangles(s.cells_x, s.cells_z, mesh);
  return mesh;
}

// Rows from the top, so that triangles are counter-clockwise.
Mesh build(const RectangleShape& s) {
  Mesh mesh;
  for (int k = s.cells_y; k >= 0; --k) {
    for (int i = 0; i <= s.cells_x; ++i)
      mesh.points.emplace_back(0.5 * s.width * centred(i, s.cells_x), 0.5 * s.height * centred(k, s.cells_y),
                               0);
  }
  add_grid_triangles(s.cells_x, s.cells_y, mesh);
  return mesh;
}

// Ring r has 6 r points; between two rings every sector has one triangle more outside than inside.
Mesh build(const DiskShape& s) {
  Mesh mesh;
  mesh.points.emplace_back(0, 0, 0);
  for (int r = 1; r <= s.resolution; ++r) {
    const double radius = s.radius * r / s.resolution;
    for (int k = 0; k < 6 * r; ++k) {
      const double angle = kPi * k / (3 * r);
      mesh.points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0);
    }
  }
  const auto at = [](int r, int k) { return r == 0 ? 0 : 1 + 3 * r * (r - 1) + k % (6 * r); };
  for (int r = 1; r <= s.resolution; ++r) {
    for (int sector = 0; sector < 6; ++sector) {
      for (int k = 0; k < r; ++k) {
        const int outer = sector * r + k, inner = sector * (r - 1) + k;
        mesh.triangles.push_back({at(r - 1, inner), at(r, outer), at(r, outer + 1)});
        if (k + 1 < r) mesh.triangles.push_back({at(r - 1, inner), at(r, outer + 1), at(r - 1, inner + 1)});
      }
    }
  }
  return mesh;
}

Mesh build(const SphereShape& s) {
  const int n = 2 * s.resolution;
  return build_tet_grid({.cells = {n, n, n}}, [&](const LatticePoint& p) {
    return Vec3(s.radius * cube_to_ball({centred(p[0], n), centred(p[1], n), centred(p[2], n)}));
  });
}

Mesh build(const CylinderShape& s) {
  const int n = 2 * s.resolution;
  return build_tet_grid({.cells = {n, s.layers, n}}, [&](const LatticePoint& p) {
    const Vec2 q = s.radius * disc_point(p, 0, 2, s.resolution);
    return Vec3(q.x(), 0.5 * s.height * centred(p[1], s.layers), q.y());
  });
}

// A bar between two halves of a ball; the disc in the middle of the ball is the section of the bar.
Mesh build(const RodShape& s) {
  const int n = s.resolution;
  const double half = 0.5 * s.length - s.radius;
  return build_tet_grid({.cells = {s.segments + 2 * n, 2 * n, 2 * n}}, [&](const LatticePoint& p) {
    const int along = std::clamp(p[0] - n, 0, s.segments);
    const int beyond = p[0] - n - along;
    const Vec3 q = s.radius * cube_to_ball({double(beyond) / n, centred(p[1], 2 * n), centred(p[2], 2 * n)});
    return Vec3(q + Vec3(half * centred(along, s.segments), 0, 0));
  });
}

// A body that narrows from its base, lattice layer 0 along Y, to nothing at layer n.
TetGrid narrowing_grid(const std::array<int, 3>& cells, bool narrow_x, bool narrow_z) {
  TetGrid grid{.cells = cells};
  grid.mirror[1] = MirrorCut::Everywhere;
  const int n = cells[1];
  grid.is_inside = [=](const LatticePoint& p) {
    return (!narrow_x || std::abs(p[0] - n) <= n - p[1]) && (!narrow_z || std::abs(p[2] - n) <= n - p[1]);
  };
  return grid;
}

Mesh build(const ConeShape& s) {
  const int n = s.resolution;
  return build_tet_grid(narrowing_grid({2 * n, n, 2 * n}, true, true), [&](const LatticePoint& p) {
    const Vec2 q = s.radius * disc_point(p, 0, 2, n);
    return Vec3(q.x(), 0.5 * s.height * centred(p[1], n), q.y());
  });
}

Mesh build(const SpikeShape& s) {
  const int n = s.resolution;
  return build_tet_grid(narrowing_grid({2 * n, n, 2 * n}, true, true), [&](const LatticePoint& p) {
    return Vec3(0.5 * s.width * centred(p[0], 2 * n), 0.5 * s.height * centred(p[1], n),
                0.5 * s.width * centred(p[2], 2 * n));
  });
}

Mesh build(const WedgeShape& s) {
  const int n = s.resolution;
  return build_tet_grid(narrowing_grid({2 * n, n, s.cells_z}, true, false), [&](const LatticePoint& p) {
    return Vec3(0.5 * s.width * centred(p[0], 2 * n), 0.5 * s.height * centred(p[1], n),
                0.5 * s.depth * centred(p[2], s.cells_z));
  });
}

// A disc of 2n × 2n cells, swept along a closed path of this many segments.
TetGrid loop_grid(int resolution, int segments) {
  return {.cells = {2 * resolution, 2 * resolution, segments},
          .mirror = {MirrorCut::FirstHalf, MirrorCut::FirstHalf, MirrorCut::Nowhere},
          .is_loop = true};
}

Mesh build(const TorusShape& s) {
  return build_tet_grid(loop_grid(s.resolution, s.segments), [&](const LatticePoint& p) {
    const Vec2 q = s.tube_radius * disc_point(p, 0, 1, s.resolution);
    const double angle = 2 * kPi * p[2] / s.segments;
    const double from_axis = s.ring_radius + q.x();
    return Vec3(from_axis * std::cos(angle), q.y(), from_axis * std::sin(angle));
  });
}

// The middle line of a chain link, counter-clockwise in XY from the lower end of the right side.
struct PathPoint {
  Vec3 position;
  Vec3 outward;
};

PathPoint chain_link_path(const ChainLinkShape& s, int segment) {
  const int half_turn = s.straight_segments + s.bend_segments;
  const double sign = segment < half_turn ? 1 : -1;  // the second half is the first one turned by 180°
  const int i = segment % half_turn;
  const double up = s.straight * (std::min(i, s.straight_segments) / double(s.straight_segments) - 0.5);
  const double angle = kPi * std::max(i - s.straight_segments, 0) / s.bend_segments;
  const Vec3 outward(std::cos(angle), std::sin(angle), 0);
  return {sign * (Vec3(0, up, 0) + s.bend_radius * outward), sign * outward};
}

Mesh build(const ChainLinkShape& s) {
  const int segments = 2 * (s.straight_segments + s.bend_segments);
  return build_tet_grid(loop_grid(s.resolution, segments), [&](const LatticePoint& p) {
    const Vec2 q = s.wire_radius * disc_point(p, 0, 1, s.resolution);
    const PathPoint path = chain_link_path(s, p[2]);
    return Vec3(path.position + q.x() * path.outward - q.y() * Vec3::UnitZ());
  });
}

// Throws for a value outside its field's range.
struct RangeCheck {
  const char* shape;

  void operator()(const char* field_name, double value, const Field& field) {
    const std::string reason = explain_range(field, value);
    if (reason.empty()) return;
    throw InputError({}, fmt::format("{}: {} {}, is {}", shape, field_name, reason, value), field.doc);
  }
  void operator()(const char* field_name, const Vec3& value, const Field& field) {
    for (const double c : value) (*this)(field_name, c, field);
  }
};

void require(bool holds, const char* problem, const char* advice) {
  if (!holds) throw InputError({}, problem, advice);
}

// Conditions between fields; most shapes have none.
template <class S>
void check_relations(const S&) {}

void check_relations(const TorusShape& s) {
  require(s.ring_radius > s.tube_radius, "torus: ring_radius must be above tube_radius",
          "Otherwise the tube runs into itself; make the ring wider or the tube thinner.");
}

void check_relations(const ChainLinkShape& s) {
  require(s.bend_radius > s.wire_radius, "chain_link: bend_radius must be above wire_radius",
          "Otherwise the wire runs into itself; make the bend wider or the wire thinner.");
}

void check_relations(const RodShape& s) {
  require(s.length > 2 * s.radius, "rod: length must be above twice the radius",
          "The length counts the round ends; use a sphere for a body as long as it is thick.");
}

double count_cells(const BoxShape& s) { return double(s.cells_x) * s.cells_y * s.cells_z; }
double count_cells(const PlateShape& s) { return double(s.cells_x) * s.cells_y * s.cells_z; }
double count_cells(const CardShape& s) { return double(s.cells_x) * s.cells_y; }
double count_cells(const SphereShape& s) { return 8 * std::pow(s.resolution, 3); }
double count_cells(const CylinderShape& s) { return 4 * std::pow(s.resolution, 2) * s.layers; }
double count_cells(const TorusShape& s) { return 4 * std::pow(s.resolution, 2) * s.segments; }
double count_cells(const ConeShape& s) { return 4 * std::pow(s.resolution, 3); }
double count_cells(const RodShape& s) {
  return 4 * std::pow(s.resolution, 2) * (s.segments + 2.0 * s.resolution);
}
double count_cells(const ChainLinkShape& s) {
  return 8 * std::pow(s.resolution, 2) * (s.bend_segments + s.straight_segments);
}
double count_cells(const WedgeShape& s) { return 2 * std::pow(s.resolution, 2) * s.cells_z; }
double count_cells(const SpikeShape& s) { return 4 * std::pow(s.resolution, 3); }
double count_cells(const SheetShape& s) { return double(s.cells_x) * s.cells_z; }
double count_cells(const RectangleShape& s) { return double(s.cells_x) * s.cells_y; }
double count_cells(const DiskShape& s) { return 3 * std::pow(s.resolution, 2); }

}  // namespace

const char* shape_name(const Shape& shape) {
  return std::visit([](const auto& s) { return s.name; }, shape);
}

std::vector<Shape> default_shapes() {
  return {BoxShape{},   SphereShape{}, CylinderShape{},  TorusShape{}, ConeShape{},
          PlateShape{}, RodShape{},    ChainLinkShape{}, CardShape{},  WedgeShape{},
          SpikeShape{}, SheetShape{},  RectangleShape{}, DiskShape{}};
}

Mesh build_shape(const Shape& shape) {
  return std::visit(
      [](auto s) {
        RangeCheck check{s.name};
        visit_fields(check, s);
        check_relations(s);
        const double tets = 6 * count_cells(s);
        if (tets > kMaxTets) {
          throw InputError({}, fmt::format("{}: {:.0f} million tets are too many", s.name, tets * 1e-6),
                           fmt::format("Choose fewer cells: at most {:.0f} million tets.", kMaxTets * 1e-6));
        }
        return build(s);
      },
      shape);
}

}  // namespace marrow
