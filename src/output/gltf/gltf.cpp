#include "output/gltf/gltf.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <limits>
#include <span>

#include "core/error.h"
#include "core/file.h"
#include "core/staged_file.h"
#include "output/gltf/document.h"
#include "output/gltf/part.h"
#include "output/vtk/vtu.h"

namespace marrow {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF is written in the order of memory");

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// The frames listed, read one at a time.
class FrameSource {
 public:
  FrameSource(const std::string& folder, const OutputTopology& topology, std::vector<PvdFrame> frames)
      : folder_(folder),
        point_count_(static_cast<size_t>(count_points(topology))),
        frames_(std::move(frames)) {}

  size_t size() const { return frames_.size(); }
  double time(size_t i) const { return frames_[i].time; }

  Points read_points(size_t i) const {
    const std::string path = folder_ + "/" + frames_[i].file;
    VtuFrame frame = read_vtu(path);
    if (frame.points.size() != point_count_) {
      throw InputError({path, 0, 0, {}},
                       fmt::format("has {} points, the scene has {}", frame.points.size(), point_count_),
                       "It belongs to another run; remove it, or choose another output folder.");
    }
    return std::move(frame.points);
  }

 private:
  const std::string& folder_;
  size_t point_count_;
  std::vector<PvdFrame> frames_;
};

size_t count_target_bytes(const std::vector<GltfPart>& parts) {
  size_t bytes = 0;
  for (const GltfPart& part : parts)
    bytes += part.points.size() * sizeof(Vec3f) * (part.has_normals() ? 2 : 1);
  return bytes;
}

// At most limit frames, evenly spaced, with the first and the last.
std::vector<PvdFrame> choose_frames(const std::vector<PvdFrame>& frames, size_t limit) {
  if (frames.size() <= limit) return frames;
  std::vector<PvdFrame> chosen;
  for (size_t i = 0; i < limit; ++i) chosen.push_back(frames[i * (frames.size() - 1) / (limit - 1)]);
  return chosen;
}

// Flags the bodies that have moved in any later frame; the others need no morph targets.
std::vector<bool> find_moving_bodies(const OutputTopology& topology, const FrameSource& frames) {
  std::vector<bool> moves(topology.bodies.size(), false);
  const Points first = frames.read_points(0);
  for (size_t i = 1; i < frames.size() && std::count(moves.begin(), moves.end(), false) > 0; ++i) {
    const Points points = frames.read_points(i);
    for (size_t b = 0; b < moves.size(); ++b) {
      const auto begin = topology.bodies[b].first_point;
      const auto end = begin + topology.bodies[b].point_count;
      if (!moves[b])
        moves[b] = !std::equal(first.begin() + begin, first.begin() + end, points.begin() + begin);
    }
  }
  return moves;
}

// Writes the binary half front to back and records the offsets.
class BufferWriter {
 public:
  BufferWriter(StagedFile& file, const std::vector<GltfPart>& parts) : file_(file), parts_(parts) {
    layout_.parts.resize(parts.size());
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
    for (size_t i = 0; i < parts_.size(); ++i) {
      layout_.parts[i].positions = write_vectors(compute_positions(parts_[i], points, {}));
      base_normals_.push_back(compute_normals(parts_[i], points));
      if (parts_[i].has_normals()) layout_.parts[i].normals = write_vectors(base_normals_[i]);
      if (parts_[i].texture.empty()) continue;
      std::vector<Vec3f> texture;  // as long as the other vectors of the buffer view
      for (const auto& [u, v] : parts_[i].texture) texture.emplace_back(u, v, 0);
      layout_.parts[i].texture_offset = write_vectors(texture).offset;
    }
  }

  // A later frame, as differences from the base.
  void write_target(const Points& points, const std::vector<bool>& moves) {
    for (size_t i = 0; i < parts_.size(); ++i) {
      if (!moves[static_cast<size_t>(parts_[i].body)]) continue;
      GltfPartData& data = layout_.parts[i];
      data.target_positions.push_back(write_vectors(compute_positions(parts_[i], points, base_)));
      if (!parts_[i].has_normals()) continue;
      std::vector<Vec3f> normals = compute_normals(parts_[i], points);
      for (size_t v = 0; v < normals.size(); ++v) normals[v] -= base_normals_[i][v];
      data.target_normals.push_back(write_vectors(normals));
    }
  }

  // Key times from zero, then for each key the weights of all targets: key k is target k − 1, key 0 is the
  // base.
  void write_animation(const FrameSource& frames, const std::vector<bool>& moves) {
    const std::uint64_t start = file_.size();
    layout_.vectors_size = start - layout_.corners_size;
    layout_.key_count = static_cast<int>(frames.size());
    std::vector<float> times;
    for (size_t i = 0; i < frames.size(); ++i)
      times.push_back(static_cast<float>(frames.time(i) - frames.time(0)));
    layout_.last_key = times.back();
    if (std::find(moves.begin(), moves.end(), true) == moves.end()) return;
    file_.write(bytes_of<float>(times));
    for (size_t key = 0; key < frames.size(); ++key) {
      std::vector<float> weights(frames.size() - 1, 0);
      if (key > 0) weights[key - 1] = 1;
      file_.write(bytes_of<float>(weights));
    }
    layout_.animation_size = file_.size() - start;
  }

  const GltfLayout& layout() const { return layout_; }

 private:
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
  const std::vector<GltfPart>& parts_;
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

GltfReport write_gltf(const std::string& folder, const OutputTopology& topology,
                      const std::vector<PvdFrame>& frames, const GltfOptions& options) {
  const std::vector<GltfPart> parts = build_parts(topology);
  if (frames.empty() || parts.empty()) return {static_cast<int>(frames.size()), 0};
  const std::uint64_t affordable = options.max_bytes / count_target_bytes(parts);
  const auto limit =
      std::clamp<std::uint64_t>(affordable, 2, static_cast<std::uint64_t>(std::max(options.max_frames, 2)));
  const FrameSource source(folder, topology, choose_frames(frames, limit));

  // The binary half, one frame in memory at a time.
  const std::vector<bool> moves = find_moving_bodies(topology, source);
  const std::string binary_path = folder + "/run.bin";
  StagedFile binary(binary_path);
  BufferWriter writer(binary, parts);
  writer.write_corners();
  writer.write_base(source.read_points(0));
  for (size_t i = 1; i < source.size(); ++i) writer.write_target(source.read_points(i), moves);
  writer.write_animation(source, moves);
  binary.finish();

  // The JSON half, by itself and together with the binary one.
  write_file(folder + "/run.gltf", format_gltf(topology, parts, writer.layout(), "run.bin"));
  write_glb(folder + "/run.glb", format_gltf(topology, parts, writer.layout(), {}), binary_path,
            writer.layout().size());
  return {static_cast<int>(frames.size()), static_cast<int>(source.size())};
}

}  // namespace marrow
