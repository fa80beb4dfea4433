#include "scene/import/ipc_stage.h"

#include <fmt/format.h>

#include <filesystem>
#include <numbers>

#include "core/error.h"
#include "math/rotation.h"
#include "mesh/io/mesh_file.h"
#include "mesh/point_box.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

int dimension_of(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".obj") return 2;
  if (extension == ".seg") return 1;
  if (extension == ".pt") return 0;
  return 3;
}

// The mesh file of a shape; wires and points may come from the OBJ file of the same name.
std::string find_mesh(const IpcStage& stage, const IpcShape& shape, int dimension) {
  std::string found = find_ipc_file(stage.file, shape.path);
  if (found.empty() && dimension < 2) {
    found = find_ipc_file(stage.file, fs::path(shape.path).replace_extension(".obj").string());
  }
  if (found.empty()) {
    stage.fail(shape.line, fmt::format("the mesh {} is missing", shape.path),
               "It is searched for in the folder of the script and in the folders above; the public scenes "
               "lack some large meshes.");
  }
  return found;
}

std::string name_of(const IpcStage& stage, const std::string& path) {
  const std::string stem = fs::path(path).stem().string();
  size_t same = 0;
  for (const IpcBody& body : stage.bodies) same += fs::path(body.shape->path).stem() == stem ? 1 : 0;
  return same == 0 ? stem : fmt::format("{} {}", stem, same + 1);
}

void set_material(const IpcScript& script, const IpcShape& shape, MaterialDescription& material) {
  const IpcMaterial& m = shape.material ? *shape.material : script.material;
  material.model = script.energy == "FCR" ? MaterialModel::FixedCorotated : MaterialModel::NeoHookean;
  material.density = m.density;
  material.youngs_modulus = m.youngs_modulus;
  material.poissons_ratio = m.poissons_ratio;
}

void check_values(const IpcStage& stage, const IpcShape& shape) {
  if ((shape.scale.array() <= 0).any()) stage.fail(shape.line, "a scale is not above 0");
  const IpcMaterial& m = shape.material ? *shape.material : stage.script.material;
  if (m.density <= 0 || m.youngs_modulus <= 0 || m.poissons_ratio <= -1 || m.poissons_ratio >= 0.5) {
    stage.fail(shape.line,
               fmt::format("the material {} kg/m³, {} Pa, {} is not possible", m.density, m.youngs_modulus,
                           m.poissons_ratio),
               "Density and Young's modulus must be above 0, Poisson's ratio between -1 and 0.5.");
  }
}

// A turn, a scale and a shift of all shapes.
struct Similarity {
  Mat3 R = Mat3::Identity();
  double scale = 1;
  Vec3 shift = Vec3::Zero();  // x ↦ scale · R x + shift
};

Similarity compute_similarity(const IpcStage& stage) {
  const IpcScript& script = stage.script;
  Similarity all;
  Eigen::AlignedBox3d box = stage.box();
  if (script.rotation_degrees != 0) {
    const double angle = script.rotation_degrees * std::numbers::pi / 180;
    all.R = Eigen::AngleAxisd(angle, script.rotation_axis.normalized()).toRotationMatrix();
    const Vec3 center = box.sizes() / 2;
    all.shift = center - all.R * center;
    box.setEmpty();
    for (const IpcBody& body : stage.bodies) {
      for (const Vec3& x : body.points) box.extend(all.R * x + all.shift);
    }
  }
  if (script.size > 0) {
    all.scale = script.size / box.sizes().maxCoeff();
    all.shift = all.scale * (all.shift - box.min());
  }
  return all;
}

// Sets where the body is in the scene, and its points to match.
void place(const Similarity& all, IpcBody& body, const IpcStage& stage) {
  const IpcShape& shape = *body.shape;
  const bool has_copies = body.component_count > 1;
  if (has_copies && !all.R.isIdentity(0)) {
    stage.fail(shape.line, "shapeMatrix together with rotateModel is not supported",
               "Write the copies as single shapes.");
  }
  BodyDescription& description = body.description;
  description.rotation = degrees_from_rotation(all.R * ipc_rotation(shape.degrees));
  description.scale = all.scale * shape.scale;
  description.position = all.scale * (all.R * shape.translation) + all.shift;
  if (has_copies) {
    description.repeat =
        RepeatDescription{shape.count[0], shape.count[1], shape.count[2], all.scale * shape.step};
  }
  const Mat3 R = rotation_from_degrees(description.rotation);
  const Vec3 step = all.scale * shape.step;
  body.points.clear();
  for (int i = 0; i < shape.count[0]; ++i) {
    for (int j = 0; j < shape.count[1]; ++j) {
      for (int k = 0; k < shape.count[2]; ++k) {
        const Vec3 start = description.position + step.cwiseProduct(Vec3(i, j, k));
        for (const Vec3& X : body.mesh.points)
          body.points.push_back(start + R * description.scale.cwiseProduct(X));
      }
    }
  }
}

}  // namespace

Eigen::AlignedBox3d IpcBody::box() const { return compute_box(points); }

Eigen::AlignedBox3d IpcStage::box() const {
  Eigen::AlignedBox3d box;
  for (const IpcBody& body : bodies) box.extend(body.box());
  return box;
}

void IpcStage::fail(int line, const std::string& problem, const std::string& advice) const {
  throw InputError({file, line, 0, {}}, problem, advice);
}

void shift_stage(const Vec3& by, IpcStage& stage) {
  for (IpcBody& body : stage.bodies) {
    body.description.position += by;
    for (Vec3& x : body.points) x += by;
  }
}

IpcStage build_ipc_stage(const IpcScript& script, const std::string& file, const std::string& target) {
  IpcStage stage{script, file, target, {}, 0, 1, script.notices};
  for (const IpcShape& shape : script.shapes) {
    check_values(stage, shape);
    IpcBody body;
    body.shape = &shape;
    body.dimension = dimension_of(shape.path);
    body.first_component = stage.component_count;
    body.component_count = static_cast<size_t>(shape.count[0]) * static_cast<size_t>(shape.count[1]) *
                           static_cast<size_t>(shape.count[2]);
    stage.component_count += body.component_count;
    const std::string mesh_file = find_mesh(stage, shape, body.dimension);
    body.mesh = read_mesh(mesh_file);
    if (body.dimension == 3 && body.mesh.tets.empty()) {
      stage.fail(shape.line, fmt::format("the mesh {} has no tetrahedra", shape.path));
    }
    BodyDescription& description = body.description;
    description.name = name_of(stage, shape.path);
    description.mesh = relative_name(mesh_file, target);
    if (body.dimension == 1) description.mesh_part = MeshPart::EdgesOnly;
    if (body.dimension == 0) description.mesh_part = MeshPart::PointsOnly;
    if (body.dimension < 3) {
      description.kind = BodyKind::Obstacle;
    } else {
      set_material(script, shape, description.material);
    }
    place({}, body, stage);
    stage.bodies.push_back(std::move(body));
  }
  // The unit of length is that of the volumes before the turn.
  Eigen::AlignedBox3d volumes;
  for (const IpcBody& body : stage.bodies) {
    if (body.dimension == 3) volumes.extend(body.box());
  }
  const Similarity all = compute_similarity(stage);
  if (!volumes.isEmpty()) stage.diagonal = all.scale * volumes.diagonal().norm();
  for (IpcBody& body : stage.bodies) place(all, body, stage);
  return stage;
}

std::string find_ipc_file(const std::string& script_file, const std::string& named) {
  if (fs::path(named).is_absolute()) return fs::exists(named) ? named : std::string();
  std::error_code ignored;
  for (fs::path folder = fs::absolute(script_file, ignored).parent_path();; folder = folder.parent_path()) {
    if (fs::exists(folder / named, ignored)) return (folder / named).string();
    if (folder == folder.parent_path()) return {};
  }
}

Mat3 ipc_rotation(const Vec3& degrees) {
  const Vec3 a = degrees * (std::numbers::pi / 180);
  return (Eigen::AngleAxisd(a[0], Vec3::UnitX()) * Eigen::AngleAxisd(a[1], Vec3::UnitY()) *
          Eigen::AngleAxisd(a[2], Vec3::UnitZ()))
      .toRotationMatrix();
}

}  // namespace marrow
