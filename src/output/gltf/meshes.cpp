#include "output/gltf/meshes.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "output/gltf/codes.h"
#include "output/gltf/part.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

void append_bytes(const void* from, size_t size, std::string& bytes) {
  bytes.append(static_cast<const char*>(from), size);
}

// Adds a buffer view and an accessor over the last bytes.
void add_accessor(size_t offset, size_t size, int target, Json accessor, Json& root) {
  root["bufferViews"].push_back(
      {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", size}, {"target", target}});
  accessor["bufferView"] = root["bufferViews"].size() - 1;
  root["accessors"].push_back(std::move(accessor));
}

void add_mesh(const GltfMesh& part, Json& root, std::string& bytes) {
  const bool has_triangles = !part.mesh.triangles.empty();
  Vec3f lower = Vec3f::Constant(INFINITY), upper = -lower;
  const size_t points_at = bytes.size();
  for (const Vec3& p : part.mesh.points) {
    const Vec3f x = p.cast<float>();
    lower = lower.cwiseMin(x);
    upper = upper.cwiseMax(x);
    append_bytes(x.data(), sizeof(float) * 3, bytes);
  }
  add_accessor(points_at, bytes.size() - points_at, kVertexBuffer,
               {{"componentType", kFloat},
                {"count", part.mesh.points.size()},
                {"type", "VEC3"},
                {"min", {lower[0], lower[1], lower[2]}},
                {"max", {upper[0], upper[1], upper[2]}}},
               root);
  const size_t corners_at = bytes.size();
  for (const Triangle& t : part.mesh.triangles) append_bytes(t.data(), sizeof t, bytes);
  if (!has_triangles) {
    for (const Edge& e : part.mesh.edges) append_bytes(e.data(), sizeof e, bytes);
  }
  const size_t corners = has_triangles ? 3 * part.mesh.triangles.size() : 2 * part.mesh.edges.size();
  add_accessor(corners_at, bytes.size() - corners_at, kIndexBuffer,
               {{"componentType", kUnsignedInt}, {"count", corners}, {"type", "SCALAR"}}, root);
  const auto& c = part.color;
  Json material = {
      {"name", part.name},
      {"doubleSided", true},
      {"pbrMetallicRoughness",
       {{"baseColorFactor", {c[0], c[1], c[2], c[3]}}, {"metallicFactor", 0}, {"roughnessFactor", 0.8}}}};
  if (c[3] < 1) material["alphaMode"] = "BLEND";
  root["materials"].push_back(std::move(material));
  const size_t accessors = root["accessors"].size();
  const GltfMode mode = has_triangles ? GltfMode::Triangles : GltfMode::Lines;
  root["meshes"].push_back({{"name", part.name},
                            {"primitives",
                             {{{"attributes", {{"POSITION", accessors - 2}}},
                               {"indices", accessors - 1},
                               {"material", root["materials"].size() - 1},
                               {"mode", static_cast<int>(mode)}}}}});
  root["scenes"][0]["nodes"].push_back(root["nodes"].size());
  root["nodes"].push_back({{"name", part.name}, {"mesh", root["meshes"].size() - 1}});
}

void append_chunk(const char* type, std::string content, char padding, std::string& file) {
  while (content.size() % 4 != 0) content.push_back(padding);
  const auto size = static_cast<std::uint32_t>(content.size());
  append_bytes(&size, sizeof size, file);
  file.append(type, 4);
  file += content;
}

}  // namespace

std::string format_gltf_meshes(const std::vector<GltfMesh>& meshes) {
  Json root = {{"asset", {{"version", "2.0"}, {"generator", "marrow"}}},
               {"scene", 0},
               {"scenes", {{{"nodes", Json::array()}}}},
               {"nodes", Json::array()},
               {"meshes", Json::array()},
               {"materials", Json::array()},
               {"accessors", Json::array()},
               {"bufferViews", Json::array()}};
  std::string bytes;
  for (const GltfMesh& part : meshes) {
    if (part.mesh.triangles.empty() && part.mesh.edges.empty()) continue;
    add_mesh(part, root, bytes);
  }
  root["buffers"] = {{{"byteLength", bytes.size()}}};
  std::string chunks;
  append_chunk("JSON", root.dump(), ' ', chunks);
  append_chunk("BIN\0", std::move(bytes), '\0', chunks);
  std::string file = "glTF";
  for (const std::uint32_t value : {std::uint32_t{2}, static_cast<std::uint32_t>(chunks.size() + 12)}) {
    append_bytes(&value, sizeof value, file);
  }
  return file + chunks;
}

}  // namespace marrow
