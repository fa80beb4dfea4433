#include "scene/build/load_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/file.h"
#include "math/rotation.h"
#include "mesh/io/mesh_file.h"
#include "mesh/io/obj_details.h"
#include "mesh/mend.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

// The lines of a file's triangles, read when they are asked for; 0 where the format has none.
class TriangleLines {
 public:
  explicit TriangleLines(const std::string& file) : file_(file) {}

  int operator()(Index triangle) {
    if (!lines_) {
      lines_.emplace();
      const bool is_obj = !file_.ends_with(".vtu") && mesh_format_of(file_) == MeshFormat::Obj;
      if (is_obj) *lines_ = read_obj_details(read_file(file_)).lines;
    }
    return static_cast<size_t>(triangle) < lines_->size() ? (*lines_)[static_cast<size_t>(triangle)] : 0;
  }

 private:
  const std::string& file_;
  std::optional<std::vector<int>> lines_;
};

void mend(const std::string& file, bool keeps_points, const MeshCare& care, Mesh& mesh) {
  Mesh mended = mesh;
  const MeshFaults faults = mend_mesh(mended, keeps_points);
  if (faults.is_empty()) return;
  TriangleLines lines(file);
  for (const FaultText& text : describe_faults(faults, [&](Index t) { return lines(t); })) {
    if (care.is_strict) {
      throw InputError({file, text.line, 0, {}}, text.fault + " (counted from 0)",
                       "Mend it with `marrow prepare repair`, or leave out --strict: it is then mended.");
    }
    const std::string note = fmt::format("{}: {}: {}", file, text.fault, text.cure);
    if (std::find(care.notes.begin(), care.notes.end(), note) == care.notes.end()) {
      care.notes.push_back(note);
    }
  }
  mesh = std::move(mended);
}

// Points of a shell that are in no triangle are particles.
bool keeps_loose_points(const BodyDescription& body) {
  return body.thickness.has_value() || body.mesh_part != MeshPart::Whole;
}

// Calls read, and says in errors which body names the file.
template <class Read>
auto read_named(const Location& named, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    const std::string of = fmt::format("It is the mesh of {}.", to_string(named));
    throw InputError(error.where(), error.problem(), error.advice().empty() ? of : error.advice() + " " + of);
  }
}

}  // namespace

Mesh read_named_mesh(const std::string& file, const Location& named, bool keeps_points,
                     const MeshCare& care) {
  return read_named(named, [&] {
    Mesh mesh = read_mesh(file);
    mend(file, keeps_points, care, mesh);
    return mesh;
  });
}

CurvedFile read_body_file(const BodyDescription& body, const BodyPlace& place, const MeshCare& care) {
  if (!body.mesh) return {read_body_mesh(body, place, care)};
  const std::string file = resolve_path(place.scene_path, *body.mesh);
  return read_named(place.at("mesh"), [&] {
    CurvedFile read = read_curved_file(file);
    if (!read.is_curved()) mend(file, keeps_loose_points(body), care, read.mesh);
    return read;
  });
}

Mesh read_body_mesh(const BodyDescription& body, const BodyPlace& place, const MeshCare& care) {
  if (body.mesh) {
    return read_named_mesh(resolve_path(place.scene_path, *body.mesh), place.at("mesh"),
                           keeps_loose_points(body), care);
  }
  try {
    return build_shape(*body.shape);
  } catch (const InputError& error) {
    throw InputError(place.at("shape"), error.problem(), error.advice());
  }
}

std::string name_mesh(const BodyDescription& body, const BodyPlace& place) {
  return body.mesh ? resolve_path(place.scene_path, *body.mesh) : to_string(place.at("shape"));
}

void place_points(const BodyDescription& body, Points& points) {
  const Mat3 R = rotation_from_degrees(body.rotation);
  for (Vec3& x : points) x = body.position + R * body.scale.cwiseProduct(x);
}

}  // namespace marrow
