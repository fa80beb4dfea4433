#include "scene/fingerprint.h"

#include "core/file.h"
#include "scene/describe.h"

namespace marrow {
namespace {

class Hash {
 public:
  explicit Hash(const std::string& text) : value_(hash_bytes(text)) {}

  // The length counts too: one element less here and one more in the next list is another mesh.
  template <class Values>
  void add(const Values& values) {
    const auto count = static_cast<std::uint64_t>(values.size());
    add_bytes(&count, sizeof count);
    add_bytes(values.data(), count * sizeof(values.data()[0]));
  }
  void add(const Mesh& mesh) {
    add(mesh.points);
    add(mesh.edges);
    add(mesh.triangles);
    add(mesh.tets);
  }
  void add(const ScalarMatrix& matrix) {
    add(matrix.offsets);
    add(matrix.indices);
    add(matrix.values);
  }

  std::uint64_t value() const { return value_; }

 private:
  void add_bytes(const void* data, size_t size) {
    if (size > 0) value_ = hash_bytes({static_cast<const char*>(data), size}, value_);
  }

  std::uint64_t value_;
};

// What a scene says of the motion: nothing of its length, its output and its looks, and no names of files.
std::string describe_motion(Scene scene) {
  scene.time.duration = 1;
  scene.time.frame_every = 1;
  scene.output = {};
  scene.view.reset();
  scene.recorded_norms.reset();
  scene.strict = false;
  for (BodyDescription& body : scene.bodies) {
    body.mesh.reset();
    body.color.reset();
    body.visible.reset();
    if (std::string* file = body.surface_file()) *file = "file";
    if (body.densities && body.densities->file) body.densities->file = "file";
    body.self_collision = SelfCollision::Auto;
    for (PrescribedDescription& part : body.prescribed) {
      if (part.sequence) part.sequence->meshes.clear();
    }
  }
  return describe_scene(scene);
}

}  // namespace

std::uint64_t compute_fingerprint(Scene scene, const Model& model, const VecX& nodes) {
  Hash hash(describe_motion(std::move(scene)));
  hash.add(nodes);
  for (const Body& body : model.kinematics.bodies) {
    hash.add(body.rest);
    hash.add(body.collider);
    hash.add(body.radii);
    hash.add(body.W);
    hash.add(body.mass);
  }
  for (const PrescribedNodes& group : model.prescribed) {
    for (const Points& positions : group.sequence.positions) hash.add(positions);
  }
  return hash.value();
}

}  // namespace marrow
