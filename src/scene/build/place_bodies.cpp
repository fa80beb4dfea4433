#include "scene/build/place_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "math/rotation.h"
#include "mesh/point_box.h"
#include "mesh/surface.h"
#include "scene/body_names.h"
#include "scene/build/build_contact.h"
#include "scene/mesh_points.h"

namespace marrow {
namespace {

// Half the side of the square, relative to the box of the others or to their height above the plane: what
// slides that far has left the picture, and the numbers keep 14 digits of a body's size.
constexpr double kPlaneExtent = 50;

// Rests and d_hat depend on each other: a gap changes the box by 1e-3 of it at most, so each round leaves
// 1e-3 of the error before, and five leave rounding. [derived]
constexpr int kRounds = 5;

// Below this cosine between a plane's normal and the vertical a body would slide along it for ever. [derived:
// the shift is its height over this]
constexpr double kSteepest = 1e-3;

// A point of an outline: two horizontal coordinates, the height, and the radius there.
using Outline = std::vector<Vec4>;

// The part of a polygon on the side sign · (x[axis] − bound) ≤ 0.
Outline clip(const Outline& polygon, int axis, double bound, double sign) {
  Outline kept;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Vec4 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double da = sign * (a[axis] - bound), db = sign * (b[axis] - bound);
    if (da <= 0) kept.push_back(a);
    if ((da < 0 && db > 0) || (da > 0 && db < 0)) kept.push_back(a + da / (da - db) * (b - a));
  }
  return kept;
}

// Puts bodies on each other along one direction.
class Stack {
 public:
  Stack(Scene& scene, const std::string& scene_path, const MeshLoader& load)
      : scene_(scene), scene_path_(scene_path), shifts_(scene.bodies.size(), 0) {
    if (!scene.gravity.isZero(0)) up_ = -scene.gravity.normalized();
    const Mat3 R = rotation_between(Vec3::UnitY(), up_);
    frame_.row(0) = (R * Vec3::UnitX()).transpose();
    frame_.row(1) = (R * Vec3::UnitZ()).transpose();
    frame_.row(2) = up_.transpose();
    for (size_t i = 0; i < scene.bodies.size(); ++i) {
      const BodyDescription& body = scene.bodies[i];
      PlacedMesh placed = body.plane ? PlacedMesh() : load(body, place(i), any_rests());
      meshes_.push_back(std::move(placed.outside));
      box_.push_back(placed.box);
      if (meshes_[i].triangles.empty()) meshes_[i].triangles = extract_surface(meshes_[i].tets);
      if (body.radius > 0 && !body.collides_as_medial()) {
        meshes_[i].radii.assign(meshes_[i].points.size(), body.radius);
      }
      for (Vec3& x : meshes_[i].points) x = frame_ * x;
    }
  }

  void rest_all() {
    if (!any_rests()) return;
    for (int round = 0; round < kRounds; ++round) {
      const double d_hat = compute_d_hat();
      done_.assign(scene_.bodies.size(), 0);
      for (size_t i = 0; i < scene_.bodies.size(); ++i) rest(i, d_hat);
    }
    for (size_t i = 0; i < scene_.bodies.size(); ++i) {
      scene_.bodies[i].position += shifts_[i] * up_;
      scene_.bodies[i].rest_on.reset();
      scene_.bodies[i].gap.reset();
    }
  }

  Eigen::AlignedBox3d compute_whole_box() const {
    Eigen::AlignedBox3d all;
    for (size_t i = 0; i < box_.size(); ++i) {
      if (!box_[i].isEmpty()) all.extend(box_[i].translated(Vec3(shifts_[i] * up_)));
    }
    return all;
  }

 private:
  bool any_rests() const {
    const auto rests = [](const BodyDescription& body) { return body.rest_on.has_value(); };
    return std::any_of(scene_.bodies.begin(), scene_.bodies.end(), rests);
  }

  BodyPlace place(size_t body) const { return {scene_path_, body, scene_.bodies[body].origin}; }

  double compute_d_hat() const {
    std::vector<BodyBox> boxes;
    for (size_t i = 0; i < box_.size(); ++i) {
      if (box_[i].isEmpty()) continue;
      boxes.push_back(
          {box_[i].translated(Vec3(shifts_[i] * up_)), scene_.bodies[i].kind == BodyKind::Obstacle});
    }
    return choose_d_hat(scene_.contact, compute_reference_length(boxes, compute_smallest_size(boxes)));
  }

  // Rests the body after all that it stands on.
  void rest(size_t body, double d_hat) {
    const BodyDescription& description = scene_.bodies[body];
    if (done_[body] != 0 || !description.rest_on) return;
    done_[body] = 1;
    const double gap = description.gap.value_or(d_hat);
    if (description.rest_on->name.empty()) {
      shifts_[body] = description.rest_on->number + gap - find_lowest(body);
      return;
    }
    const auto support = static_cast<size_t>(find_body(scene_, description.rest_on->name));
    rest(support, d_hat);
    if (scene_.bodies[support].plane) {
      rest_on_plane(body, *scene_.bodies[support].plane, gap);
    } else {
      shifts_[body] = find_highest_below(body, support) + shifts_[support] + gap - find_lowest(body);
    }
  }

  double radius_of(size_t body, size_t point) const {
    return meshes_[body].radii.empty() ? 0 : meshes_[body].radii[point];
  }

  // Where it is loaded, without its shift.
  double find_lowest(size_t body) const {
    double lowest = std::numeric_limits<double>::infinity();
    const Points& points = meshes_[body].points;
    for (size_t i = 0; i < points.size(); ++i) lowest = std::min(lowest, points[i][2] - radius_of(body, i));
    return lowest;
  }

  void rest_on_plane(size_t body, const PlaneDescription& plane, double gap) {
    const Vec3 normal = frame_ * plane.normal.normalized();
    if (normal[2] < kSteepest) {
      throw InputError(place(body).at("rest_on"), "nothing can rest on this plane: it does not face upwards",
                       "Turn its normal against gravity, or give the body a position.");
    }
    double nearest = std::numeric_limits<double>::infinity();
    const Points& points = meshes_[body].points;
    for (size_t i = 0; i < points.size(); ++i)
      nearest = std::min(nearest, normal.dot(points[i]) - radius_of(body, i) - plane.height);
    shifts_[body] = (gap - nearest) / normal[2];
  }

  // The highest point of a support within the outline of the body's box, seen from above.
  double find_highest_below(size_t body, size_t support) const {
    const Eigen::AlignedBox3d outline = compute_box(meshes_[body].points);
    const Mesh& mesh = meshes_[support];
    double highest = -std::numeric_limits<double>::infinity();
    const auto look_at = [&](const auto& element) {
      Outline part;
      double radius = 0;
      for (const Index i : element) {
        const Vec3& x = mesh.points[static_cast<size_t>(i)];
        part.push_back({x[0], x[1], x[2], radius_of(support, static_cast<size_t>(i))});
        radius = std::max(radius, part.back()[3]);
      }
      for (int axis = 0; axis < 2; ++axis) {
        part = clip(part, axis, outline.max()[axis] + radius, 1);
        part = clip(part, axis, outline.min()[axis] - radius, -1);
      }
      for (const Vec4& x : part) highest = std::max(highest, x[2] + x[3]);
    };
    for (const Triangle& triangle : mesh.triangles) look_at(triangle);
    for (const Edge& edge : mesh.edges) look_at(edge);
    for (size_t i = 0; i < mesh.points.size(); ++i) look_at(std::array<Index, 1>{static_cast<Index>(i)});
    if (std::isfinite(highest)) return highest;
    throw InputError(place(body).at("rest_on"),
                     fmt::format("{} is not below the body, seen from above", scene_.name_of(support)),
                     "Move the body over it by its position.");
  }

  Scene& scene_;
  const std::string& scene_path_;
  Vec3 up_ = Vec3::UnitY();
  Mat3 frame_;                            // rows: two horizontal directions, and up
  std::vector<Mesh> meshes_;              // in the frame
  std::vector<Eigen::AlignedBox3d> box_;  // in the world
  std::vector<double> shifts_;            // upwards
  std::vector<char> done_;
};

}  // namespace

Eigen::AlignedBox3d place_bodies(Scene& scene, const std::string& scene_path, const MeshLoader& load) {
  bool is_needed = false;
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    BodyDescription& body = scene.bodies[i];
    is_needed = is_needed || body.plane || body.rest_on;
    if (!body.center && !body.size) continue;
    try {
      resolve_size(read_own_points(body, scene_path), body);
    } catch (const InputError& error) {
      if (!error.where().file.empty()) throw;
      throw InputError(BodyPlace{scene_path, i, body.origin}.at("shape"), error.problem(), error.advice());
    }
  }
  if (!is_needed) return {};
  Stack stack(scene, scene_path, load);
  stack.rest_all();
  return stack.compute_whole_box();
}

namespace {

// The middle of a plane's drawn part, and half its size.
struct PlaneExtent {
  Vec3 center;
  double half;
};

PlaneExtent find_extent(const PlaneDescription& plane, const Vec3& normal,
                        const Eigen::AlignedBox3d& others) {
  const Vec3 middle = others.isEmpty() ? Vec3(Vec3::Zero()) : Vec3(others.center());
  const double height = normal.dot(middle) - plane.height;
  const double diagonal = others.isEmpty() ? 0 : others.diagonal().norm();
  const double extent = std::max(diagonal, std::abs(height));
  return {middle - height * normal, kPlaneExtent * (extent > 0 ? extent : 1)};
}

}  // namespace

Mesh build_line(const PlaneDescription& plane, const Eigen::AlignedBox3d& others) {
  const Vec3 normal = plane.normal.normalized(), along(normal.y(), -normal.x(), 0);
  const auto [center, half] = find_extent(plane, normal, others);
  Mesh mesh;
  mesh.points = {center - half * along, center + half * along};
  mesh.edges = {{0, 1}};
  return mesh;
}

Mesh build_plane(const PlaneDescription& plane, const Eigen::AlignedBox3d& others) {
  const Vec3 normal = plane.normal.normalized();
  const Mat3 R = rotation_between(Vec3::UnitY(), normal);
  const Vec3 u = R * Vec3::UnitX(), v = R * -Vec3::UnitZ();
  const auto [center, half] = find_extent(plane, normal, others);
  Mesh mesh;
  // The corners of a triangle around the middle, then those of the square.
  constexpr double kCorners[7][2] = {{0, 0.9}, {-0.75, -0.45}, {0.75, -0.45}, {-1, -1},
                                     {1, -1},  {1, 1},         {-1, 1}};
  for (const auto& corner : kCorners) mesh.points.push_back(center + half * (corner[0] * u + corner[1] * v));
  mesh.triangles = {{1, 2, 0}, {3, 4, 1}, {4, 2, 1}, {4, 5, 2}, {5, 0, 2}, {5, 6, 0}, {6, 1, 0}, {6, 3, 1}};
  return mesh;
}

}  // namespace marrow
