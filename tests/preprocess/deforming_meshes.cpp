#include "preprocess/deforming_meshes.h"

#include <array>
#include <cmath>
#include <random>

namespace marrow {
namespace {

constexpr double kPi = 3.14159265358979323846;

// A grid of (columns + 1) × (rows + 1) points over the unit square, diagonals by turns.
Mesh make_grid(int columns, int rows) {
  Mesh mesh;
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= columns; ++i) mesh.points.push_back({double(i) / columns, double(j) / rows, 0});
  }
  const auto at = [&](int i, int j) { return static_cast<Index>(j * (columns + 1) + i); };
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      const Index a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
      if ((i + j) % 2 == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      }
    }
  }
  return mesh;
}

// A tube along z from 0 to 1 with closed ends; points of ring k have z = k / rings.
Mesh make_tube(int around, int rings, double radius) {
  Mesh mesh;
  for (int k = 0; k <= rings; ++k) {
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * kPi * (i + 0.5 * (k % 2)) / around;
      mesh.points.push_back({radius * std::cos(angle), radius * std::sin(angle), double(k) / rings});
    }
  }
  const auto at = [&](int k, int i) { return static_cast<Index>(k * around + (i + around) % around); };
  for (int k = 0; k < rings; ++k) {
    for (int i = 0; i < around; ++i) {
      // Odd rings are turned by half a step.
      const int shift = k % 2;
      mesh.triangles.push_back({at(k, i), at(k, i + 1), at(k + 1, i + shift)});
      mesh.triangles.push_back({at(k, i + 1), at(k + 1, i + 1 + shift), at(k + 1, i + shift)});
    }
  }
  for (const int k : {0, rings}) {
    const auto middle = static_cast<Index>(mesh.points.size());
    mesh.points.push_back({0, 0, double(k) / rings});
    for (int i = 0; i < around; ++i) {
      if (k == 0) {
        mesh.triangles.push_back({middle, at(k, i + 1), at(k, i)});
      } else {
        mesh.triangles.push_back({middle, at(k, i), at(k, i + 1)});
      }
    }
  }
  return mesh;
}

// The unit cube's surface as six grids with shared points, pushed onto the unit ball.
Mesh make_ball(int cells) {
  Mesh mesh;
  std::vector<Index> place(static_cast<size_t>((cells + 1) * (cells + 1) * (cells + 1)), kNone);
  const auto point = [&](std::array<int, 3> g) {
    Index& at = place[static_cast<size_t>((g[0] * (cells + 1) + g[1]) * (cells + 1) + g[2])];
    if (at == kNone) {
      at = static_cast<Index>(mesh.points.size());
      Vec3 p;
      for (int k = 0; k < 3; ++k) p[k] = std::tan(kPi / 4 * (2.0 * g[static_cast<size_t>(k)] / cells - 1));
      mesh.points.push_back(p.normalized());
    }
    return at;
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {0, cells}) {
      for (int i = 0; i < cells; ++i) {
        for (int j = 0; j < cells; ++j) {
          const auto corner = [&](int di, int dj) {
            std::array<int, 3> g = {};
            g[static_cast<size_t>(axis)] = side;
            g[static_cast<size_t>((axis + 1) % 3)] = i + di;
            g[static_cast<size_t>((axis + 2) % 3)] = j + dj;
            return point(g);
          };
          const Index a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
          if (side == 0) {
            mesh.triangles.push_back({a, c, b});
            mesh.triangles.push_back({a, d, c});
          } else {
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({a, c, d});
          }
        }
      }
    }
  }
  return mesh;
}

Points map_points(const Points& rest, const std::function<Vec3(const Vec3&)>& map) {
  Points x;
  x.reserve(rest.size());
  for (const Vec3& p : rest) x.push_back(map(p));
  return x;
}

// Bends what lies along z, of length 1, into an arc of this angle in the xz-plane.
Vec3 bend(const Vec3& p, double angle) {
  if (std::abs(angle) < 1e-6) return p;
  const double radius = 1 / angle;
  const double a = angle * p[2];
  return {radius - (radius - p[0]) * std::cos(a), p[1], (radius - p[0]) * std::sin(a)};
}

// Around z by an angle.
Vec3 turn(const Vec3& p, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]};
}

double smooth_noise(const Vec3& p, unsigned seed) {
  const double s = seed % 97;
  return std::sin(3.1 * p[0] + s) * std::cos(2.3 * p[1] - 0.5 * s) +
         std::sin(2.7 * p[2] + 1.3 * p[0] + 0.3 * s);
}

DeformingMesh make_blob(int triangles, unsigned seed, const std::string& name, double noise, double spikes) {
  DeformingMesh body{name, make_ball(std::max(4, int(std::sqrt(triangles / 12.0)))), {}};
  std::mt19937 random(seed);
  for (Vec3& p : body.rest.points) {
    double size = 1 + 0.12 * smooth_noise(2 * p, seed) + noise * draw(random, -1, 1);
    if (draw(random, 0, 1) < spikes) size += 0.25;
    p *= size;
  }
  const Points rest = body.rest.points;
  const double lean = draw(random, -0.5, 0.5);
  body.at = [rest, lean, seed](double t) {
    // Squashed from above, wider below, with folds that deepen.
    return map_points(rest, [&](const Vec3& p) {
      const double down = 1 - 0.72 * t;
      const double wide = 1 + 0.35 * t * (1 - p[1]);
      const double fold = 0.25 * t * std::sin(5 * p[0] + seed % 7) * std::cos(4 * p[2]);
      return Vec3(wide * p[0] + lean * t * p[1], down * p[1] + fold * (1.2 - p[1]), wide * p[2]);
    });
  };
  return body;
}

}  // namespace

DeformingMesh make_flowing_cloth(int triangles, unsigned seed) {
  const int cells = std::max(2, int(std::sqrt(triangles / 2.0)));
  DeformingMesh body{"flowing cloth", make_grid(cells, cells), {}};
  const Points rest = body.rest.points;
  std::mt19937 random(seed);
  const double phase = draw(random, 0, 6), waves = draw(random, 5, 8);
  body.at = [rest, phase, waves](double t) {
    return map_points(rest, [&](const Vec3& p) {
      const double high = 0.08 * t * (0.3 + p[0]);
      const double z =
          high * std::sin(waves * p[0] * 2 - 9 * t + phase) + 0.5 * high * std::cos(waves * p[1] + 7 * t);
      return Vec3(p[0] - 0.12 * t * p[0] * p[0], p[1] + 0.05 * t * std::sin(4 * p[0] + 3 * t), z);
    });
  };
  return body;
}

DeformingMesh make_cloth_on_sphere(int triangles, unsigned seed) {
  const int cells = std::max(2, int(std::sqrt(triangles / 2.0)));
  DeformingMesh body{"cloth on sphere", make_grid(cells, cells), {}};
  const Points rest = body.rest.points;
  std::mt19937 random(seed);
  const double folds = std::floor(draw(random, 6, 10));
  body.at = [rest, folds](double t) {
    // The middle lies on a ball, the rest hangs down in folds that grow deeper.
    return map_points(rest, [&](const Vec3& p) {
      const Vec3 q(p[0] - 0.5, p[1] - 0.5, 0);
      const double s = q.norm(), angle = std::atan2(q[1], q[0]), radius = 0.25;
      const double lies = std::min(s, radius * 0.5 * kPi * t);
      const double hangs = s - lies;
      const double a = lies / radius;
      const double fold = 0.35 * t * hangs * std::sin(folds * angle);
      const double out = radius * std::sin(a) + (1 - t) * hangs * std::cos(a) + t * 0.35 * hangs + fold;
      return Vec3(out * std::cos(angle), out * std::sin(angle),
                  -radius * (1 - std::cos(a)) - t * 0.85 * hangs * (0.4 + 0.6 * std::sin(a)));
    });
  };
  return body;
}

DeformingMesh make_folding_cloth(int triangles, unsigned seed) {
  const int cells = std::max(2, int(std::sqrt(triangles / 2.0)));
  DeformingMesh body{"folding cloth", make_grid(cells, cells), {}};
  const Points rest = body.rest.points;
  std::mt19937 random(seed);
  const double slant = draw(random, -0.3, 0.3);
  body.at = [rest, slant](double t) {
    // Rolled up about an axis until the roll meets itself.
    return map_points(rest, [&](const Vec3& p) {
      const Vec3 rolled =
          bend({p[2] + 0.02 * t * std::sin(9 * p[1]), p[1], p[0] + slant * p[1] * t}, 7.5 * t + 1e-5);
      return Vec3(rolled[0] * (1 - 0.1 * p[0] * t), rolled[1], rolled[2]);
    });
  };
  return body;
}

DeformingMesh make_twisting_bar(int triangles, unsigned seed) {
  const int around = std::max(4, int(std::sqrt(triangles / 16.0)) / 2 * 2);
  DeformingMesh body{"twisting bar", make_tube(around, std::max(2, triangles / (2 * around)), 0.08), {}};
  std::mt19937 random(seed);
  const double turns = draw(random, 2, 4);
  // A square bar rather than a round one.
  for (Vec3& p : body.rest.points) {
    const double largest = std::max(std::abs(p[0]), std::abs(p[1]));
    if (largest > 0) p.head<2>() *= std::pow(p.head<2>().norm() / largest, 0.8);
  }
  const Points rest = body.rest.points;
  body.at = [rest, turns](double t) {
    return map_points(rest, [&](const Vec3& p) {
      const Vec3 twisted = turn(p, 2 * kPi * turns * t * p[2]);
      return bend(twisted, 1.5 * t + 1e-5);
    });
  };
  return body;
}

DeformingMesh make_spring_wire(int triangles, unsigned seed) {
  const int around = std::max(5, int(std::sqrt(triangles / 200.0)));
  DeformingMesh body{"spring wire", make_tube(around, std::max(4, triangles / (2 * around)), 0.02), {}};
  std::mt19937 random(seed);
  const double coils = std::floor(draw(random, 9, 13));
  const auto coil = [coils](const Vec3& p, double pitch, double lean) {
    const double a = 2 * kPi * coils * p[2];
    const Vec3 out(std::cos(a), std::sin(a), 0);
    const Vec3 centre = 0.3 * out + Vec3(lean * p[2] * p[2], 0, pitch * coils * p[2]);
    return Vec3(centre + p[0] * out + p[1] * Vec3(0, 0, 1));
  };
  const Points straight = body.rest.points;
  body.rest.points = map_points(straight, [&](const Vec3& p) { return coil(p, 0.12, 0); });
  body.at = [straight, coil](double t) {
    return map_points(straight, [&](const Vec3& p) { return coil(p, 0.12 - 0.09 * t, 1.5 * t); });
  };
  return body;
}

DeformingMesh make_bending_rod(int triangles, unsigned seed) {
  const int around = std::max(5, int(std::sqrt(triangles / 25.0)));
  DeformingMesh body{"bending rod", make_tube(around, std::max(4, triangles / (2 * around)), 0.06), {}};
  const Points rest = body.rest.points;
  std::mt19937 random(seed);
  const double wave = draw(random, 0, 0.04);
  body.at = [rest, wave](double t) {
    return map_points(rest, [&](const Vec3& p) {
      return bend({p[0] + wave * t * std::sin(9 * p[2]), p[1] + 0.04 * t * p[2], p[2]}, 6.8 * t + 1e-5);
    });
  };
  return body;
}

DeformingMesh make_squashed_blob(int triangles, unsigned seed) {
  return make_blob(triangles, seed, "squashed blob", 0, 0);
}

DeformingMesh make_noisy_blob(int triangles, unsigned seed) {
  return make_blob(triangles, seed, "noisy blob", 0.6 / std::sqrt(triangles), 0);
}

DeformingMesh make_spiky_blob(int triangles, unsigned seed) {
  return make_blob(triangles, seed, "spiky blob", 0, 0.02);
}

DeformingMesh make_tentacle_ball(int triangles, unsigned seed) {
  // Cells of the ball that are tentacles: drawn out along the normal, in rings.
  const int tentacles = std::clamp(triangles / 1200, 6, 800);
  const int around = 12;
  const int rings = std::max(6, triangles / (tentacles * 2 * around));
  DeformingMesh body{"tentacle ball", {}, {}};
  std::mt19937 random(seed);
  struct Root {
    Vec3 direction, side;
    double phase;
  };
  std::vector<Root> roots;
  std::vector<std::array<double, 4>> places;  // tentacle (or −1), along, across x, across y
  const double golden = kPi * (3 - std::sqrt(5.0));
  for (int k = 0; k < tentacles; ++k) {
    const double y = 1 - 2 * (k + 0.5) / tentacles, r = std::sqrt(1 - y * y);
    const Vec3 direction(r * std::cos(golden * k), y, r * std::sin(golden * k));
    roots.push_back({direction, direction.unitOrthogonal(), draw(random, 0, 6)});
    const Mesh tube = make_tube(around, rings, 1);
    const auto offset = static_cast<Index>(body.rest.points.size());
    const double radius = 0.55 / std::sqrt(tentacles);
    for (const Vec3& p : tube.points) {
      const double taper = radius * (1 - 0.6 * p[2]);
      places.push_back({double(k), p[2], taper * p[0], taper * p[1]});
      body.rest.points.push_back(p);
    }
    for (const Triangle& t : tube.triangles)
      body.rest.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
  const auto map = [roots, places](double t) {
    Points x;
    for (const auto& [k, along, u, v] : places) {
      const Root& root = roots[static_cast<size_t>(k)];
      const Vec3 other = root.direction.cross(root.side);
      // RotatedSteps to one side, the more the further out; gravity pulls all down and flattens those below.
      const double swing = 1.1 * t * along * along;
      const Vec3 sway =
          swing * (std::cos(root.phase + 3 * t) * root.side + std::sin(root.phase + 3 * t) * other);
      Vec3 p = (1 + 0.9 * along) * root.direction + u * root.side + v * other + 0.5 * sway;
      p[1] -= 0.5 * t * along * along;
      if (p[1] < 0) p[1] *= 1 - 0.6 * t;
      x.push_back(p);
    }
    return x;
  };
  body.rest.points = map(0);
  body.at = map;
  return body;
}

std::vector<DeformingMesh> make_deforming_meshes(int triangles, unsigned seed) {
  std::vector<DeformingMesh> all;
  for (const auto make :
       {make_flowing_cloth, make_cloth_on_sphere, make_folding_cloth, make_twisting_bar, make_spring_wire,
        make_bending_rod, make_squashed_blob, make_noisy_blob, make_spiky_blob, make_tentacle_ball}) {
    all.push_back(make(triangles, seed));
  }
  return all;
}

}  // namespace marrow
