#include "output/gltf/document.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "output/gltf/codes.h"
#include "output/gltf/palette.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

// The buffer views, in the order in which they are listed.
constexpr int kCornersView = 0;
constexpr int kVectorsView = 1;
constexpr int kAnimationView = 2;

Json to_json(const Vec3f& v) { return {v.x(), v.y(), v.z()}; }

// Builds the document from the layout.
class GltfDocument {
 public:
  GltfDocument(const OutputTopology& topology, const std::vector<GltfPart>& parts, const GltfLayout& layout)
      : topology_(topology), parts_(parts), layout_(layout), colors_(choose_colors(topology.bodies)) {}

  std::string build(const std::string& buffer_file) {
    json_["asset"] = {{"version", "2.0"}, {"generator", "Marrow"}};
    json_["scene"] = 0;
    json_["scenes"] = Json::array({{{"nodes", Json::array()}}});
    for (size_t i = 0; i < parts_.size();) i = add_body(i);
    if (!moving_bodies_.empty()) add_animation();
    add_buffer(buffer_file);
    return json_.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

 private:
  size_t add_to(const char* list, Json entry) {
    json_[list].push_back(std::move(entry));
    return json_[list].size() - 1;
  }

  size_t add_vectors(const GltfVectors& vectors, size_t count) {
    return add_to("accessors", {{"bufferView", kVectorsView},
                                {"byteOffset", vectors.offset - layout_.corners_size},
                                {"componentType", kFloat},
                                {"count", count},
                                {"type", "VEC3"},
                                {"min", to_json(vectors.min)},
                                {"max", to_json(vectors.max)}});
  }

  // Numbers of the animation: SCALAR, VEC3 or VEC4.
  size_t add_keys(std::uint64_t offset, size_t count, const char* type) {
    return add_to("accessors", {{"bufferView", kAnimationView},
                                {"byteOffset", offset - layout_.corners_size - layout_.vectors_size},
                                {"componentType", kFloat},
                                {"count", count},
                                {"type", type}});
  }

  // Adds the body whose first part this is; returns the first part of the next one.
  size_t add_body(size_t part) {
    const Index body = parts_[part].body;
    const OutputBody& named = topology_.bodies[static_cast<size_t>(body)];
    std::map<Index, size_t> materials;  // of the document, by those of the body's file
    Json primitives = Json::array();
    for (; part < parts_.size() && parts_[part].body == body; ++part) {
      for (const GltfRange& range : parts_[part].ranges) {
        if (!materials.contains(range.material))
          materials[range.material] = add_material(body, range.material);
      }
      add_primitives(parts_[part], layout_.parts[part], materials, primitives);
    }
    const size_t mesh = add_to("meshes", {{"name", named.name}, {"primitives", std::move(primitives)}});
    const GltfBodyData& data = layout_.bodies[static_cast<size_t>(body)];
    Json node = {{"name", named.name}, {"mesh", mesh}};
    if (data.motion == GltfMotion::Node) node["translation"] = to_json(data.centre);
    const size_t number = add_to("nodes", std::move(node));
    json_["scenes"][0]["nodes"].push_back(number);
    if (data.motion != GltfMotion::Still) moving_bodies_.push_back({number, &data});
    return part;
  }

  // of_file: of the body's file, whose colour and image then replace ours; kNone: ours.
  size_t add_material(Index body, Index of_file) {
    const OutputBody& named = topology_.bodies[static_cast<size_t>(body)];
    const std::array<double, 3>& color = colors_[static_cast<size_t>(body)];
    Json look = {{"baseColorFactor", {color[0], color[1], color[2], 1.0}},
                 {"metallicFactor", 0.0},
                 {"roughnessFactor", 0.7}};
    std::string name = named.name;
    if (of_file != kNone) {
      const OutputMaterial& material = named.texture->materials[static_cast<size_t>(of_file)];
      if (named.texture->materials.size() > 1) name = material.name;
      if (material.color) look["baseColorFactor"] = *material.color;
      if (!material.image.empty()) {
        const size_t image = add_to("images", {{"uri", material.image}});
        if (!material.color) look["baseColorFactor"] = {1.0, 1.0, 1.0, 1.0};
        look["baseColorTexture"] = {{"index", add_to("textures", {{"source", image}})}};
      }
    }
    return add_to("materials",
                  {{"name", name}, {"doubleSided", true}, {"pbrMetallicRoughness", std::move(look)}});
  }

  // One per material; they share their vertices, so that normals are smooth across.
  void add_primitives(const GltfPart& part, const GltfPartData& data,
                      const std::map<Index, size_t>& materials, Json& primitives) {
    const size_t first = primitives.size();
    for (const GltfRange& range : part.ranges) {
      const size_t corners =
          add_to("accessors", {{"bufferView", kCornersView},
                               {"byteOffset", data.corners_offset + range.first * sizeof(std::uint32_t)},
                               {"componentType", kUnsignedInt},
                               {"count", range.count},
                               {"type", "SCALAR"}});
      primitives.push_back({{"mode", static_cast<int>(part.mode)},
                            {"indices", corners},
                            {"material", materials.at(range.material)}});
    }
    const Json vertices = add_vertices(part, data);
    for (size_t i = first; i < primitives.size(); ++i) primitives[i].update(vertices);
  }

  // What primitives say of their vertices.
  Json add_vertices(const GltfPart& part, const GltfPartData& data) {
    const size_t count = part.points.size();
    Json primitive;
    primitive["attributes"]["POSITION"] = add_vectors(data.positions, count);
    if (part.has_normals()) primitive["attributes"]["NORMAL"] = add_vectors(data.normals, count);
    if (!part.texture.empty()) {
      primitive["attributes"]["TEXCOORD_0"] =
          add_to("accessors", {{"bufferView", kVectorsView},
                               {"byteOffset", data.texture_offset - layout_.corners_size},
                               {"componentType", kFloat},
                               {"count", count},
                               {"type", "VEC2"}});
    }
    for (size_t target = 0; target < data.target_positions.size(); ++target) {
      Json morph = {{"POSITION", add_vectors(data.target_positions[target], count)}};
      if (part.has_normals()) morph["NORMAL"] = add_vectors(data.target_normals[target], count);
      primitive["targets"].push_back(std::move(morph));
    }
    return primitive;
  }

  void add_animation() {
    const auto keys = static_cast<size_t>(layout_.key_count);
    const size_t input = add_keys(layout_.corners_size + layout_.vectors_size, keys, "SCALAR");
    json_["accessors"][input]["min"] = Json::array({layout_.first_key});
    json_["accessors"][input]["max"] = Json::array({layout_.last_key});
    Json animation = {{"name", "run"}, {"samplers", Json::array()}, {"channels", Json::array()}};
    const auto add_sampler = [&](size_t output) {
      animation["samplers"].push_back({{"input", input}, {"interpolation", "LINEAR"}, {"output", output}});
      return animation["samplers"].size() - 1;
    };
    const auto add_channel = [&](size_t node, const char* path, size_t sampler) {
      animation["channels"].push_back({{"sampler", sampler}, {"target", {{"node", node}, {"path", path}}}});
    };
    std::optional<size_t> weights;  // the same for all that have them
    for (const auto& [node, data] : moving_bodies_) {
      if (data->motion == GltfMotion::Morph) {
        if (!weights) weights = add_sampler(add_keys(layout_.weights_offset, keys * (keys - 1), "SCALAR"));
        add_channel(node, "weights", *weights);
        continue;
      }
      const size_t moved = add_keys(data->translations.offset, keys, "VEC3");
      json_["accessors"][moved]["min"] = to_json(data->translations.min);
      json_["accessors"][moved]["max"] = to_json(data->translations.max);
      add_channel(node, "translation", add_sampler(moved));
      add_channel(node, "rotation", add_sampler(add_keys(data->rotations_offset, keys, "VEC4")));
    }
    add_to("animations", std::move(animation));
  }

  void add_buffer(const std::string& buffer_file) {
    Json buffer = {{"byteLength", layout_.size()}};
    if (!buffer_file.empty()) buffer["uri"] = buffer_file;
    add_to("buffers", std::move(buffer));
    add_to(
        "bufferViews",
        {{"buffer", 0}, {"byteOffset", 0}, {"byteLength", layout_.corners_size}, {"target", kIndexBuffer}});
    add_to("bufferViews", {{"buffer", 0},
                           {"byteOffset", layout_.corners_size},
                           {"byteLength", layout_.vectors_size},
                           {"byteStride", sizeof(Vec3f)},
                           {"target", kVertexBuffer}});
    if (moving_bodies_.empty()) return;
    add_to("bufferViews", {{"buffer", 0},
                           {"byteOffset", layout_.corners_size + layout_.vectors_size},
                           {"byteLength", layout_.animation_size}});
  }

  const OutputTopology& topology_;
  const std::vector<GltfPart>& parts_;
  const GltfLayout& layout_;
  const std::vector<std::array<double, 3>> colors_;  // of the bodies
  Json json_;
  struct MovingBody {
    size_t node;
    const GltfBodyData* data;
  };
  std::vector<MovingBody> moving_bodies_;
};

}  // namespace

std::string format_gltf(const OutputTopology& topology, const std::vector<GltfPart>& parts,
                        const GltfLayout& layout, const std::string& buffer_file) {
  return GltfDocument(topology, parts, layout).build(buffer_file);
}

}  // namespace marrow
