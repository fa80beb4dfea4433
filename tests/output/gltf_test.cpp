#include "output/gltf/gltf.h"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/refusal.h"
#include "output/gltf/palette.h"
#include "sample_run.h"

namespace marrow {
namespace {

using nlohmann::json;

std::uint32_t read_u32(const std::string& bytes, size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// A GLB taken apart.
struct GltfModel {
  json header;
  std::string binary;
};

GltfModel read_glb(const std::string& path) {
  const std::string bytes = read_file(path);
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(read_u32(bytes, 4), 2u);
  EXPECT_EQ(read_u32(bytes, 8), bytes.size());
  const size_t json_size = read_u32(bytes, 12);
  EXPECT_EQ(json_size % 4, 0u);
  EXPECT_EQ(bytes.substr(16, 4), "JSON");
  const size_t binary_start = 20 + json_size;
  EXPECT_EQ(read_u32(bytes, binary_start) % 4, 0u);
  EXPECT_EQ(bytes.substr(binary_start + 4, 4), std::string("BIN\0", 4));
  EXPECT_EQ(binary_start + 8 + read_u32(bytes, binary_start), bytes.size());
  return {json::parse(bytes.substr(20, json_size)), bytes.substr(binary_start + 8)};
}

// The numbers of an accessor, after checking that they lie inside their buffer view, aligned.
std::vector<float> read_floats(const GltfModel& model, size_t accessor_id) {
  const json& accessor = model.header["accessors"].at(accessor_id);
  const json& view = model.header["bufferViews"].at(accessor["bufferView"].get<size_t>());
  const size_t components = accessor["type"] == "VEC4" ? 4 : accessor["type"] == "VEC3" ? 3 : 1;
  const size_t count = accessor["count"].get<size_t>() * components;
  const size_t offset = accessor["byteOffset"];
  EXPECT_EQ(offset % 4, 0u);
  EXPECT_LE(offset + 4 * count, view["byteLength"].get<size_t>());
  const size_t start = view["byteOffset"].get<size_t>() + offset;
  EXPECT_LE(start + 4 * count, model.binary.size());
  std::vector<float> values(count);
  std::memcpy(values.data(), model.binary.data() + start, 4 * count);
  return values;
}

void expect_bounds(const GltfModel& model, size_t accessor_id) {
  const json& accessor = model.header["accessors"][accessor_id];
  const std::vector<float> values = read_floats(model, accessor_id);
  for (size_t axis = 0; axis < 3; ++axis) {
    float low = values[axis], high = values[axis];
    for (size_t i = axis; i < values.size(); i += 3) {
      low = std::min(low, values[i]);
      high = std::max(high, values[i]);
    }
    EXPECT_EQ(accessor["min"][axis].get<float>(), low);
    EXPECT_EQ(accessor["max"][axis].get<float>(), high);
  }
}

class Gltf : public testing::Test {
 protected:
  void write(int frame_count, const GltfOptions& options = {}) {
    write(sample_topology(), sample_frames(frame_count), options);
  }
  void write(const OutputTopology& topology, const GltfFrames& frames, const GltfOptions& options = {}) {
    report_ = write_gltf(folder_ / "run.glb", topology, frames, options);
    model_ = read_glb(folder_ / "run.glb");
  }

  TemporaryFolder folder_;
  GltfReport report_;
  GltfModel model_;
};

TEST_F(Gltf, bodies_are_meshes_of_their_surfaces) {
  write(3);
  const json& meshes = model_.header["meshes"];
  ASSERT_EQ(meshes.size(), 3u);
  EXPECT_EQ(meshes[1]["name"], "floor \"<&>\"");
  EXPECT_EQ(meshes[0]["primitives"][0]["mode"], 4);
  ASSERT_EQ(meshes[2]["primitives"].size(), 2u);
  EXPECT_EQ(meshes[2]["primitives"][0]["mode"], 1);
  EXPECT_EQ(meshes[2]["primitives"][1]["mode"], 0);
  EXPECT_EQ(model_.header["materials"].size(), 3u);
  EXPECT_EQ(model_.header["scenes"][0]["nodes"], json({0, 1, 2}));
}

TEST_F(Gltf, materials_have_the_colours_of_the_scene) {
  OutputTopology topology = sample_topology();
  topology.bodies[1].look.color = 0xff8000;
  write(topology, sample_frames(1));
  const json& factor = model_.header["materials"][1]["pbrMetallicRoughness"]["baseColorFactor"];
  // glTF wants linear values: 128 / 255 of sRGB is 0.2159.
  EXPECT_DOUBLE_EQ(factor[0].get<double>(), 1);
  EXPECT_NEAR(factor[1].get<double>(), 0.2159, 1e-4);
  EXPECT_DOUBLE_EQ(factor[2].get<double>(), 0);
}

// The hue of the list's colour, lighter or darker from the second round on.
TEST(GltfPalette, colours_repeat_in_other_shades) {
  std::vector<OutputBody> bodies(22);
  bodies[3].kind = bodies[4].kind = "obstacle";
  bodies[5].look.color = 0x00ff00;
  const std::vector<std::array<double, 3>> colors = choose_colors(bodies);
  EXPECT_NEAR(colors[0][0], 0.0723, 1e-4);  // 0x4c of sRGB
  EXPECT_EQ(colors[5], (std::array<double, 3>{0, 1, 0}));
  EXPECT_NEAR(colors[3][1], 0.4851, 1e-4);  // 0xb9, grey
  EXPECT_NE(colors[3], colors[4]);
  const auto &first = colors[0], &again = colors[12];  // bodies without obstacles: the eleventh
  EXPECT_NE(first, again);
  // The same hue: the middle channel lies between the others in the same proportion.
  EXPECT_NEAR((first[1] - first[0]) / (first[2] - first[0]), (again[1] - again[0]) / (again[2] - again[0]),
              1e-12);
  for (const auto& color : colors) {
    for (const double channel : color) EXPECT_TRUE(channel >= 0 && channel <= 1);
  }
}

TEST_F(Gltf, buffer_views_tile_the_buffer) {
  write(3);
  size_t end = 0;
  for (const json& view : model_.header["bufferViews"]) {
    EXPECT_EQ(view["byteOffset"].get<size_t>(), end);
    EXPECT_EQ(end % 4, 0u);
    end += view["byteLength"].get<size_t>();
  }
  EXPECT_EQ(end, model_.binary.size());
  EXPECT_EQ(model_.header["buffers"][0]["byteLength"].get<size_t>(), end);
}

TEST_F(Gltf, accessors_lie_inside_and_state_their_bounds) {
  write(4);
  for (size_t id = 0; id < model_.header["accessors"].size(); ++id) {
    if (model_.header["accessors"][id]["type"] == "VEC3")
      expect_bounds(model_, id);
    else
      read_floats(model_, id);
  }
}

TEST_F(Gltf, corners_stay_below_the_vertex_count) {
  write(2);
  for (const json& mesh : model_.header["meshes"]) {
    for (const json& primitive : mesh["primitives"]) {
      const json& positions = model_.header["accessors"][primitive["attributes"]["POSITION"].get<size_t>()];
      for (const float bits : read_floats(model_, primitive["indices"])) {
        EXPECT_LT(std::bit_cast<std::uint32_t>(bits), positions["count"].get<std::uint32_t>());
      }
    }
  }
}

TEST_F(Gltf, base_and_target_give_the_frame) {
  write(3);
  const json& primitive = model_.header["meshes"][0]["primitives"][0];
  const std::vector<float> base = read_floats(model_, primitive["attributes"]["POSITION"]);
  ASSERT_EQ(primitive["targets"].size(), 2u);
  for (int step = 1; step <= 2; ++step) {
    const std::vector<float> moved =
        read_floats(model_, primitive["targets"][static_cast<size_t>(step - 1)]["POSITION"]);
    for (size_t i = 0; i < moved.size(); ++i) {
      EXPECT_FLOAT_EQ(moved[i], i % 3 == 1 ? static_cast<float>(-0.1 * step * step) : 0.0f);
    }
  }
  EXPECT_FLOAT_EQ(base[1], 1);
}

TEST_F(Gltf, normals_are_unit_and_point_outwards) {
  write(2);
  const json& attributes = model_.header["meshes"][0]["primitives"][0]["attributes"];
  const std::vector<float> normals = read_floats(model_, attributes["NORMAL"]);
  const std::vector<float> positions = read_floats(model_, attributes["POSITION"]);
  const Eigen::Vector3f inside(0.25f, 1.25f, 0.25f);
  for (size_t i = 0; i < normals.size(); i += 3) {
    const Eigen::Map<const Eigen::Vector3f> normal(normals.data() + i), position(positions.data() + i);
    EXPECT_NEAR(normal.norm(), 1, 1e-6);
    EXPECT_GT(normal.dot(position - inside), 0);
  }
}

TEST_F(Gltf, weights_select_one_frame_at_each_key) {
  write(4);
  const json& animation = model_.header["animations"][0];
  const std::vector<float> times = read_floats(model_, animation["samplers"][0]["input"]);
  const std::vector<float> weights = read_floats(model_, animation["samplers"][0]["output"]);
  EXPECT_EQ(times, (std::vector<float>{0.0f, 0.1f, 0.2f, static_cast<float>(0.1 * 3)}));
  EXPECT_EQ(weights, (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
  ASSERT_EQ(animation["channels"].size(), 1u);  // only the drop moves
  EXPECT_EQ(animation["channels"][0]["target"], json({{"node", 0}, {"path", "weights"}}));
  EXPECT_FALSE(model_.header["meshes"][1]["primitives"][0].contains("targets"));
}

TEST_F(Gltf, one_frame_is_a_still) {
  write(1);
  EXPECT_FALSE(model_.header.contains("animations"));
  EXPECT_EQ(model_.header["bufferViews"].size(), 2u);
}

TEST_F(Gltf, long_runs_are_thinned_evenly) {
  write(31, {.max_frames = 11});
  EXPECT_EQ(report_.frames_in_run, 31);
  EXPECT_EQ(report_.frames_written, 11);
  const std::vector<float> times =
      read_floats(model_, model_.header["animations"][0]["samplers"][0]["input"]);
  ASSERT_EQ(times.size(), 11u);
  for (size_t i = 0; i < times.size(); ++i) EXPECT_FLOAT_EQ(times[i], 0.3f * static_cast<float>(i));
}

TEST_F(Gltf, large_runs_are_thinned_to_the_size_allowed) {
  write(31, {.max_frames = 200, .max_bytes = 1000});
  EXPECT_EQ(report_.frames_written, 4);
  EXPECT_LT(model_.binary.size(), 1500u);
}

TEST_F(Gltf, text_form_holds_the_same) {
  write(3);
  write_gltf(folder_ / "run.gltf", sample_topology(), sample_frames(3));
  json text = json::parse(read_file(folder_ / "run.gltf"));
  EXPECT_EQ(text["buffers"][0]["uri"], "run.bin");
  text["buffers"][0].erase("uri");
  EXPECT_EQ(text, model_.header);
  EXPECT_EQ(read_file(folder_ / "run.bin"), model_.binary);
}

TEST_F(Gltf, binary_form_is_one_file) {
  write(3);
  const std::filesystem::directory_iterator files(folder_.path);
  EXPECT_EQ(std::distance(files, {}), 1);
}

TEST_F(Gltf, frame_of_another_run_is_refused) {
  OutputTopology other = sample_topology();
  other.bodies.back().point_count += 1;
  EXPECT_EQ(test::get_refusal([&] { write_gltf(folder_ / "run.glb", other, sample_frames(2)); }),
            folder_ /
                "run.glb: frame 0 has 10 points, the scene has 11\n"
                "  It belongs to another run; remove it, or choose another output folder.");
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path));
}

TEST(GltfEmpty, nothing_to_draw_writes_nothing) {
  const TemporaryFolder folder;
  EXPECT_EQ(write_gltf(folder / "run.glb", sample_topology(), {}).frames_written, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "run.glb"));
}

// A tetrahedron that follows a pose: position, rotation about an axis, and shear, as functions of the frame.
class GltfPoses : public Gltf {
 protected:
  static OutputTopology tet_topology() {
    OutputTopology topology;
    topology.bodies = {{"tet", "rigid", 0, 4}};
    topology.bodies[0].motion = BodyMotion::Pose;
    topology.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    return topology;
  }

  static Points rest() { return {{10, 1, 0}, {11, 1, 0}, {10, 2, 0}, {10, 1, 1}}; }

  static GltfFrames tet_frames(int count, double turn, double shear = 0) {
    GltfFrames frames;
    for (int i = 0; i < count; ++i) frames.times.push_back(0.1 * i);
    frames.read_points = [=](size_t frame) {
      const auto f = static_cast<double>(frame);
      Mat3 A = Eigen::AngleAxisd(turn * f, Vec3(1, 2, 3).normalized()).toRotationMatrix();
      A(0, 1) += shear * f;
      Points points = rest();
      for (Vec3& x : points) x = A * (x - Vec3(10, 1, 0)) + Vec3(10 + f, 1 - f * f, 0);
      return points;
    };
    return frames;
  }

  // Where the animation puts the vertices of the tet at a key.
  Points place_vertices(size_t key) {
    const json& header = model_.header;
    const auto positions =
        read_floats(model_, header["meshes"][0]["primitives"][0]["attributes"]["POSITION"]);
    const auto output = [&](size_t channel) {
      const json& sampler = header["animations"][0]["channels"][channel]["sampler"];
      return read_floats(model_, header["animations"][0]["samplers"][sampler.get<size_t>()]["output"]);
    };
    const std::vector<float> moved = output(0), turned = output(1);
    const Eigen::Quaternionf q(Eigen::Map<const Eigen::Vector4f>(turned.data() + 4 * key));
    Points placed;
    for (size_t i = 0; i < positions.size(); i += 3) {
      const Eigen::Vector3f x = q * Eigen::Map<const Eigen::Vector3f>(positions.data() + i) +
                                Eigen::Map<const Eigen::Vector3f>(moved.data() + 3 * key);
      placed.push_back(x.cast<double>());
    }
    return placed;
  }
};

TEST_F(GltfPoses, rigid_bodies_move_their_node) {
  const GltfFrames frames = tet_frames(5, 0.7);
  write(tet_topology(), frames);
  EXPECT_FALSE(model_.header["meshes"][0]["primitives"][0].contains("targets"));
  const json& channels = model_.header["animations"][0]["channels"];
  ASSERT_EQ(channels.size(), 2u);
  EXPECT_EQ(channels[0]["target"], json({{"node", 0}, {"path", "translation"}}));
  EXPECT_EQ(channels[1]["target"], json({{"node", 0}, {"path", "rotation"}}));
  // Vertices are numbered by first use: corners 0 2 1, then 3.
  const std::vector<size_t> point_of = {0, 2, 1, 3};
  for (size_t key = 0; key < 5; ++key) {
    const Points placed = place_vertices(key), expected = frames.read_points(key);
    for (size_t v = 0; v < 4; ++v) EXPECT_LT((placed[v] - expected[point_of[v]]).norm(), 3e-6) << key;
  }
}

TEST_F(GltfPoses, rotations_go_the_shorter_way) {
  write(tet_topology(), tet_frames(12, 0.9));  // more than a full turn
  const json& sampler = model_.header["animations"][0]["samplers"][1];
  const std::vector<float> q = read_floats(model_, sampler["output"]);
  for (size_t key = 1; key < 12; ++key) {
    const Eigen::Map<const Eigen::Vector4f> now(q.data() + 4 * key), before(q.data() + 4 * key - 4);
    EXPECT_NEAR(now.norm(), 1, 1e-6);
    EXPECT_NEAR(now.dot(before), std::cos(0.45), 1e-5);
  }
}

TEST_F(GltfPoses, small_shear_is_left_out_and_more_takes_morph_targets) {
  write(tet_topology(), tet_frames(5, 0.3, 1e-4));
  EXPECT_FALSE(model_.header["meshes"][0]["primitives"][0].contains("targets"));
  write(tet_topology(), tet_frames(5, 0.3, 1e-2));
  EXPECT_EQ(model_.header["meshes"][0]["primitives"][0]["targets"].size(), 4u);
  EXPECT_EQ(model_.header["animations"][0]["channels"][0]["target"]["path"], "weights");
}

TEST_F(GltfPoses, without_morph_targets_all_frames_are_kept) {
  write(tet_topology(), tet_frames(300, 0.1));
  EXPECT_EQ(report_.frames_written, 300);
  write(tet_topology(), tet_frames(300, 0.1, 1));
  EXPECT_EQ(report_.frames_written, 200);
}

TEST_F(GltfPoses, mirrored_flat_and_straight_bodies) {
  // A triangle turned by half a turn in space is a mirror image in its plane.
  OutputTopology topology = tet_topology();
  topology.bodies[0].point_count = 3;
  topology.triangles = {{0, 1, 2}};
  GltfFrames frames = tet_frames(4, 3.0);
  const GltfFrames all = frames;
  frames.read_points = [all](size_t frame) {
    Points points = all.read_points(frame);
    points.pop_back();
    return points;
  };
  write(topology, frames);
  for (size_t key = 0; key < 4; ++key) {
    const Points placed = place_vertices(key), expected = frames.read_points(key);
    for (size_t v = 0; v < 3; ++v) EXPECT_LT((placed[v] - expected[v]).norm(), 3e-6) << key;
  }
  // Of a straight wire any rotation about it would fit: morph targets.
  topology.bodies[0].point_count = 2;
  topology.triangles.clear();
  topology.edges = {{0, 1}};
  frames.read_points = [all](size_t frame) {
    Points points = all.read_points(frame);
    points.resize(2);
    return points;
  };
  write(topology, frames);
  EXPECT_EQ(model_.header["animations"][0]["channels"][0]["target"]["path"], "weights");
}

}  // namespace
}  // namespace marrow
