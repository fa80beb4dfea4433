#include "run/textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "mesh/io/mesh_file.h"
#include "mesh/io/obj_details.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

// The OBJ file whose triangles the body shows; empty if there is none.
std::string find_obj(const BodyDescription& body, const std::string& scene_path) {
  if (body.repeat || body.mesh_part != MeshPart::Whole) return {};
  const std::string* name = body.surface_file();
  if (name == nullptr && body.mesh) name = &*body.mesh;
  if (name == nullptr) return {};
  std::string ending = fs::path(*name).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return ending == ".obj" ? resolve_path(scene_path, *name) : std::string();
}

// Finds the triangles of a file again in a body: in the same order, but some may be missing or reversed
// (mesh/mend.h), and points may have other numbers.
class TriangleMatch {
 public:
  TriangleMatch(const Mesh& file, const Mesh& body) : file_(file), point_(file.points.size(), kNone) {
    for (const Triangle& t : body.triangles) {
      if (!add(t)) return;
    }
    is_found_ = true;
  }

  bool is_found() const { return is_found_; }
  // The file's triangle for each of the body's, and which of its corners are theirs.
  const std::vector<size_t>& triangles() const { return triangles_; }
  const std::vector<std::array<size_t, 3>>& corners() const { return corners_; }

 private:
  // Takes the next triangle of the file that fits.
  bool add(const Triangle& t) {
    for (; next_ < file_.triangles.size(); ++next_) {
      for (const std::array<size_t, 3>& order : {std::array<size_t, 3>{0, 1, 2}, {0, 2, 1}}) {
        if (!fits(file_.triangles[next_], order, t)) continue;
        for (size_t k = 0; k < 3; ++k) {
          point_[static_cast<size_t>(file_.triangles[next_][order[k]])] = t[k];
        }
        triangles_.push_back(next_++);
        corners_.push_back(order);
        return true;
      }
    }
    return false;
  }

  bool fits(const Triangle& from, const std::array<size_t, 3>& order, const Triangle& to) const {
    for (size_t k = 0; k < 3; ++k) {
      const Index known = point_[static_cast<size_t>(from[order[k]])];
      if (known != kNone && known != to[k]) return false;
    }
    return true;
  }

  const Mesh& file_;
  std::vector<Index> point_;  // of the body, by point of the file
  size_t next_ = 0;
  bool is_found_ = false;
  std::vector<size_t> triangles_;
  std::vector<std::array<size_t, 3>> corners_;
};

// In names of files in glTF, some characters stand for themselves and the others for their bytes.
std::string encode_uri(const std::string& path) {
  std::string uri;
  for (const char c : path) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

// The materials that the file names, with the colours and images of its libraries.
std::vector<OutputMaterial> load_materials(const ObjDetails& details, const std::string& file,
                                           const std::string& folder) {
  std::vector<OutputMaterial> materials;
  for (const std::string& name : details.material_names) materials.push_back({name, {}, {}});
  for (const std::string& library : details.libraries) {
    const fs::path path = fs::path(file).parent_path() / library;
    if (!is_file(path.string())) continue;
    for (const ObjMaterial& written : read_mtl(read_file(path.string()))) {
      const auto known =
          std::find(details.material_names.begin(), details.material_names.end(), written.name);
      if (known == details.material_names.end()) continue;
      OutputMaterial& material = materials[static_cast<size_t>(known - details.material_names.begin())];
      if (written.color) {
        const auto& [r, g, b] = *written.color;
        material.color = {r, g, b, written.opacity};
      }
      const fs::path image = path.parent_path() / written.texture;
      if (written.texture.empty() || !is_file(image.string())) continue;
      const fs::path from = canonical_path(folder);
      material.image = encode_uri(fs::path(canonical_path(image.string())).lexically_relative(from).string());
    }
  }
  return materials;
}

std::shared_ptr<const OutputTexture> load_texture(const std::string& file, const Body& body,
                                                  const std::string& folder) {
  const ObjDetails details = read_obj_details(read_file(file));
  if (!details.has_texture() && details.material_names.empty()) return nullptr;
  const Mesh mesh = read_mesh(file);
  const TriangleMatch match(mesh, body.rest);
  if (!match.is_found() || details.lines.size() != mesh.triangles.size()) return nullptr;
  auto texture = std::make_shared<OutputTexture>();
  texture->points = details.texture_points;
  for (size_t i = 0; details.has_texture() && i < match.triangles().size(); ++i) {
    const std::array<Index, 3>& of_file = details.texture_corners[match.triangles()[i]];
    const std::array<size_t, 3>& order = match.corners()[i];
    texture->corners.push_back({of_file[order[0]], of_file[order[1]], of_file[order[2]]});
  }
  texture->materials = load_materials(details, file, folder);
  const bool has_looks = std::any_of(texture->materials.begin(), texture->materials.end(),
                                     [](const OutputMaterial& m) { return m.color || !m.image.empty(); });
  for (size_t i = 0; has_looks && i < match.triangles().size(); ++i) {
    texture->material_of.push_back(details.materials[match.triangles()[i]]);
  }
  return texture;
}

}  // namespace

std::vector<std::shared_ptr<const OutputTexture>> load_textures(const Scene& scene,
                                                                const std::string& scene_path,
                                                                const Kinematics& kinematics,
                                                                const std::string& folder) {
  std::vector<std::shared_ptr<const OutputTexture>> textures;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const std::string file = find_obj(scene.bodies[b], scene_path);
    textures.push_back(file.empty() ? nullptr : load_texture(file, kinematics.bodies[b], folder));
  }
  return textures;
}

}  // namespace marrow
