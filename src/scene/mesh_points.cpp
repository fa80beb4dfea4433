#include "scene/mesh_points.h"

#include "core/error.h"
#include "math/rotation.h"
#include "mesh/io/curved_file.h"
#include "mesh/point_box.h"
#include "scene/read_scene.h"

namespace marrow {

Points read_own_points(const BodyDescription& body, const std::string& scene_path) {
  if (body.plane) return {};
  if (!body.mesh) return build_shape(body.shape.value()).points;
  if (body.mesh->ends_with(".medial")) {
    throw InputError({resolve_path(scene_path, *body.mesh), 0, 0, {}},
                     "a prepared body cannot be measured before it is built",
                     "Name the surface mesh instead, or leave out center, size and scatter.");
  }
  return read_curved_file(resolve_path(scene_path, *body.mesh)).mesh.points;
}

void resolve_size(const Points& own, BodyDescription& body) {
  Eigen::AlignedBox3d box = compute_box(own);
  if (body.size) {
    const double longest = box.isEmpty() ? 0 : body.scale.cwiseProduct(box.sizes()).maxCoeff();
    if (longest > 0) body.scale *= *body.size / longest;
  }
  if (body.center && !box.isEmpty()) {
    body.position -= rotation_from_degrees(body.rotation) * body.scale.cwiseProduct(box.center());
  }
  body.size.reset();
  body.center = false;
}

Points place_points(const Points& own, const BodyDescription& body) {
  Points placed = own;
  const Mat3 R = rotation_from_degrees(body.rotation);
  for (Vec3& x : placed) x = body.position + R * body.scale.cwiseProduct(x);
  return placed;
}

}  // namespace marrow
