#include "output/gltf/gltf.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <span>

#include "core/error.h"
#include "core/file.h"
#include "core/staged_file.h"
#include "output/gltf/document.h"
#include "output/gltf/part.h"
#include "output/gltf/rigid_fit.h"

namespace marrow {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF is written in the order of memory");

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// A part of a body moves as a node does if it is off by this share of the body's size at most: half a pixel
// if the body fills a picture of a thousand.
constexpr double kNodeError = 1.0 / 2000;

// Some of the frames, read one at a time.
class FrameSource {
 public:
  FrameSource(const std::string& path, const OutputTopology& topology, const GltfFrames& frames, size_t limit)
      : path_(path), point_count_(static_cast<size_t>(count_points(topology))), frames_(frames) {
    const size_t count = frames.times.size();
    const size_t kept = std::min(limit, count);
    // Evenly spaced, with the first and the last.
    for (size_t i = 0; i < kept; ++i) chosen_.push_back(kept < count ? i * (count - 1) / (kept - 1) : i);
  }

  size_t size() const { return chosen_.size(); }
  double time(size_t i) const { return frames_.times[chosen_[i]]; }

  Points read_points(size_t i) const {
    Points points = frames_.read_points(chosen_[i]);
    if (points.size() == point_count_) return points;
    throw InputError(
        {path_, 0, 0, {}},
        fmt::format("frame {} has {} points, the scene has {}", chosen_[i], points.size(), point_count_),
        "It belongs to another run; remove it, or choose another output folder.");
  }

 private:
  const std::string& path_;
  size_t point_count_;
  const GltfFrames& frames_;
  std::vector<size_t> chosen_;
};

// How many frames may be written if these bodies have morph targets.
size_t compute_limit(const OutputTopology& topology, const std::vector<GltfPart>& parts,
                     const std::vector<bool>& morphs, const GltfOptions& options) {
  size_t bytes = sizeof(float);  // of a frame: its time, poses and morph targets
  for (const OutputBody& body : topology.bodies)
    bytes += body.motion == BodyMotion::Pose ? 7 * sizeof(float) : 0;
  for (const GltfPart& part : parts) {
    if (!morphs[static_cast<size_t>(part.body)]) continue;
    bytes += part.points.size() * sizeof(Vec3f) * (part.has_normals() ? 2 : 1);
  }
  const std::uint64_t affordable = std::max<std::uint64_t>(options.max_bytes / bytes, 2);
  const bool has_morphs = std::find(morphs.begin(), morphs.end(), true) != morphs.end();
  return has_morphs ? std::min(affordable, static_cast<std::uint64_t>(std::max(options.max_frames, 2)))
                    : affordable;
}

std::span<const Vec3> points_of(const OutputBody& body, const Points& points) {
  return {points.data() + body.first_point, static_cast<size_t>(body.point_count - body.hidden_count)};
}

// How the bodies move in these frames, and the poses of those whose node does.
struct Motions {
  std::vector<GltfMotion> of_body;
  std::vector<RigidFit> fits;  // of each body that follows a pose; others have none
  std::vector<size_t> fit_of;  // of each body
};

Motions find_motions(const OutputTopology& topology, const FrameSource& frames) {
  Motions motions;
  const Points first = frames.read_points(0);
  for (const OutputBody& body : topology.bodies) {
    motions.of_body.push_back(GltfMotion::Still);
    motions.fit_of.push_back(motions.fits.size());
    if (body.motion == BodyMotion::Pose) motions.fits.emplace_back(points_of(body, first));
  }
  for (size_t i = 1; i < frames.size(); ++i) {
    const Points points = frames.read_points(i);
    for (size_t b = 0; b < topology.bodies.size(); ++b) {
      const OutputBody& body = topology.bodies[b];
      GltfMotion& motion = motions.of_body[b];
      const std::span<const Vec3> before = points_of(body, first), now = points_of(body, points);
      if (motion == GltfMotion::Morph || std::equal(before.begin(), before.end(), now.begin())) continue;
      motion = GltfMotion::Morph;
      if (body.motion != BodyMotion::Pose) continue;
      const RigidFit& fit = motions.fits[motions.fit_of[b]];
      double error = 0;
      fit.fit(now, error);
      if (fit.has_rotation() && error <= kNodeError * fit.size()) motion = GltfMotion::Node;
    }
  }
  return motions;
}

// Writes the binary half front to back and records the offsets.
class BufferWriter {
 public:
  BufferWriter(StagedFile& file, const OutputTopology& topology, const std::vector<GltfPart>& parts,
               const Motions& motions)
      : file_(file), topology_(topology), parts_(parts), motions_(motions), poses_(topology.bodies.size()) {
    layout_.parts.resize(parts.size());
    for (size_t b = 0; b < topology.bodies.size(); ++b) {
      layout_.bodies.push_back({motions.of_body[b], Vec3f::Zero(), {}, 0});
      if (motions.of_body[b] != GltfMotion::Node) continue;
      layout_.bodies[b].centre = fit_of(b).centre().cast<float>();
    }
  }

  void write_corners() {
    for (size_t i = 0; i < parts_.size(); ++i) {
      layout_.parts[i].corners_offset = file_.size();
      file_.write(bytes_of<std::uint32_t>(parts_[i].corners));
    }
    layout_.corners_size = file_.size();
  }

  void write_base(const Points& points) {
    base_ = points;
    // Vertices of nodes that move are relative to them.
    Points origins(points.size(), Vec3::Zero());
    for (size_t b = 0; b < topology_.bodies.size(); ++b) {
      if (motions_.of_body[b] != GltfMotion::Node) continue;
      const OutputBody& body = topology_.bodies[b];
      std::fill_n(origins.begin() + body.first_point, body.point_count, fit_of(b).centre());
    }
    for (size_t i = 0; i < parts_.size(); ++i) {
      layout_.parts[i].positions = write_vectors(compute_positions(parts_[i], points, origins));
      base_normals_.push_back(compute_normals(parts_[i], points));
      if (parts_[i].has_normals()) layout_.parts[i].normals = write_vectors(base_normals_[i]);
      if (parts_[i].texture.empty()) continue;
      std::vector<Vec3f> texture;  // as long as the other vectors of the buffer view
      for (const auto& [u, v] : parts_[i].texture) texture.emplace_back(u, v, 0);
      layout_.parts[i].texture_offset = write_vectors(texture).offset;
    }
    add_poses(points);
  }

  // A later frame: morph targets, as differences from the base, and poses, which are written later.
  void write_target(const Points& points) {
    add_poses(points);
    for (size_t i = 0; i < parts_.size(); ++i) {
      if (motions_.of_body[static_cast<size_t>(parts_[i].body)] != GltfMotion::Morph) continue;
      GltfPartData& data = layout_.parts[i];
      data.target_positions.push_back(write_vectors(compute_positions(parts_[i], points, base_)));
      if (!parts_[i].has_normals()) continue;
      std::vector<Vec3f> normals = compute_normals(parts_[i], points);
      for (size_t v = 0; v < normals.size(); ++v) normals[v] -= base_normals_[i][v];
      data.target_normals.push_back(write_vectors(normals));
    }
  }

  // Key times from zero; for each key the weights of all targets: key k is target k − 1, key 0 is the base;
  // then the poses.
  void write_animation(const FrameSource& frames) {
    const std::uint64_t start = file_.size();
    layout_.vectors_size = start - layout_.corners_size;
    layout_.key_count = static_cast<int>(frames.size());
    std::vector<float> times;
    for (size_t i = 0; i < frames.size(); ++i)
      times.push_back(static_cast<float>(frames.time(i) - frames.time(0)));
    layout_.last_key = times.back();
    const auto has = [&](GltfMotion motion) {
      return std::find(motions_.of_body.begin(), motions_.of_body.end(), motion) != motions_.of_body.end();
    };
    if (!has(GltfMotion::Morph) && !has(GltfMotion::Node)) return;
    file_.write(bytes_of<float>(times));
    layout_.weights_offset = file_.size();
    for (size_t key = 0; key < frames.size() && has(GltfMotion::Morph); ++key) {
      std::vector<float> weights(frames.size() - 1, 0);
      if (key > 0) weights[key - 1] = 1;
      file_.write(bytes_of<float>(weights));
    }
    for (size_t b = 0; b < poses_.size(); ++b) {
      if (motions_.of_body[b] == GltfMotion::Node) write_poses(b);
    }
    layout_.animation_size = file_.size() - start;
  }

  const GltfLayout& layout() const { return layout_; }

 private:
  const RigidFit& fit_of(size_t body) const { return motions_.fits[motions_.fit_of[body]]; }

  void add_poses(const Points& points) {
    for (size_t b = 0; b < poses_.size(); ++b) {
      if (motions_.of_body[b] != GltfMotion::Node) continue;
      double error = 0;
      GltfPose pose = fit_of(b).fit(points_of(topology_.bodies[b], points), error);
      // Of the two signs the one that turns the shorter way.
      if (!poses_[b].empty() && pose.rotation.dot(poses_[b].back().rotation) < 0) {
        pose.rotation.coeffs() *= -1;
      }
      poses_[b].push_back(pose);
    }
  }

  void write_poses(size_t body) {
    std::vector<Vec3f> translations;
    std::vector<float> rotations;
    for (const GltfPose& pose : poses_[body]) {
      translations.push_back(pose.translation.cast<float>());
      for (const double q : pose.rotation.coeffs()) rotations.push_back(static_cast<float>(q));
    }
    layout_.bodies[body].translations = write_vectors(translations);
    layout_.bodies[body].rotations_offset = file_.size();
    file_.write(bytes_of<float>(rotations));
  }

  GltfVectors write_vectors(const std::vector<Vec3f>& vectors) {
    GltfVectors written{file_.size(), vectors.front(), vectors.front()};
    for (const Vec3f& v : vectors) {
      written.min = written.min.cwiseMin(v);
      written.max = written.max.cwiseMax(v);
    }
    file_.write({reinterpret_cast<const char*>(vectors.data()), vectors.size() * sizeof(Vec3f)});
    return written;
  }

  StagedFile& file_;
  const OutputTopology& topology_;
  const std::vector<GltfPart>& parts_;
  const Motions& motions_;
  std::vector<std::vector<GltfPose>> poses_;  // of each body, one per frame
  GltfLayout layout_;
  Points base_;
  std::vector<std::vector<Vec3f>> base_normals_;
};

std::string little_endian(std::uint32_t value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// The container: header, the JSON padded with spaces, and a copy of the binary half.
void write_glb(const std::string& path, std::string json, const std::string& binary_path,
               std::uint64_t binary_size) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  if (28 + json.size() + binary_size > std::numeric_limits<std::uint32_t>::max()) {
    throw OutputError(path, "more than the 4 GiB that a GLB can hold; set output.gltf to false");
  }
  const auto json_size = static_cast<std::uint32_t>(json.size());
  const auto data_size = static_cast<std::uint32_t>(binary_size);
  StagedFile file(path);
  file.write("glTF" + little_endian(2) + little_endian(12 + 8 + json_size + 8 + data_size));
  file.write(little_endian(json_size) + "JSON");
  file.write(json);
  file.write(little_endian(data_size) + std::string("BIN\0", 4));
  std::ifstream binary(binary_path, std::ios::binary);
  std::string chunk(1 << 20, '\0');
  for (std::uint64_t copied = 0; copied < binary_size;) {
    binary.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    const auto count = static_cast<size_t>(binary.gcount());
    if (count == 0) throw OutputError(path, binary_path + " cannot be read back");
    file.write(std::string_view(chunk).substr(0, count));
    copied += count;
  }
  file.finish();
}

}  // namespace

GltfReport write_gltf(const std::string& path, const OutputTopology& topology, const GltfFrames& frames,
                      const GltfOptions& options) {
  const std::vector<GltfPart> parts = build_parts(topology);
  const auto frame_count = static_cast<int>(frames.times.size());
  if (frames.times.empty() || parts.empty()) return {frame_count, 0};

  // What moves freely surely has morph targets; what follows a pose may need them too, and then fewer frames.
  std::vector<bool> morphs;
  for (const OutputBody& body : topology.bodies) morphs.push_back(body.motion == BodyMotion::Free);
  std::optional<FrameSource> source;
  source.emplace(path, topology, frames, compute_limit(topology, parts, morphs, options));
  const Motions motions = find_motions(topology, *source);
  for (size_t b = 0; b < morphs.size(); ++b) {
    morphs[b] = morphs[b] || motions.of_body[b] == GltfMotion::Morph;
  }
  source.emplace(path, topology, frames, compute_limit(topology, parts, morphs, options));

  // The binary half, one frame in memory at a time.
  const bool is_glb = path.ends_with(".glb");
  const std::string binary_path =
      is_glb ? path + ".bin" : std::filesystem::path(path).replace_extension("bin").string();
  StagedFile binary(binary_path);
  BufferWriter writer(binary, topology, parts, motions);
  writer.write_corners();
  writer.write_base(source->read_points(0));
  for (size_t i = 1; i < source->size(); ++i) writer.write_target(source->read_points(i));
  writer.write_animation(*source);
  binary.finish();

  // The JSON half, before it or by itself.
  const std::string name = is_glb ? "" : std::filesystem::path(binary_path).filename().string();
  const std::string json = format_gltf(topology, parts, writer.layout(), name);
  if (!is_glb) {
    write_file(path, json);
  } else {
    write_glb(path, json, binary_path, writer.layout().size());
    remove_file(binary_path);
  }
  return {frame_count, static_cast<int>(source->size())};
}

}  // namespace marrow
