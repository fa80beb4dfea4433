// A small run with one of everything: a soft tet that falls, a sheet at rest, a wire with a loose point.
#pragma once

#include "core/temporary_folder.h"
#include "output/frames/frame.h"
#include "output/gltf/gltf.h"
#include "output/vtk/pvd.h"
#include "output/vtk/vtu.h"

namespace marrow {

inline OutputTopology sample_topology() {
  OutputTopology topology;
  topology.bodies = {{"drop", "soft", 0, 4}, {"floor \"<&>\"", "obstacle", 4, 3}, {"wire", "obstacle", 7, 3}};
  topology.tets = {{0, 1, 2, 3}};
  topology.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {4, 5, 6}};
  topology.edges = {{7, 8}};
  return topology;
}

inline Points sample_points(int step) {
  const double fall = 0.1 * step * step;
  Points points = {{0, 1, 0}, {1, 1, 0}, {0, 2, 0}, {0, 1, 1}};
  for (Vec3& point : points) point.y() -= fall;
  for (const Vec3& point : {Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 0)}) points.push_back(point);
  for (const Vec3& point : {Vec3(1.0 / 3, 0, 0), Vec3(2, 0, 0), Vec3(3, 1e-30, 1e30)})
    points.push_back(point);
  return points;
}

// Frames 0 … count − 1, 0.1 s apart, for the animation.
inline GltfFrames sample_frames(int count) {
  GltfFrames frames;
  for (int step = 0; step < count; ++step) frames.times.push_back(0.1 * step);
  frames.read_points = [](size_t frame) { return sample_points(static_cast<int>(frame)); };
  return frames;
}

// Writes frames 0 … count − 1, 0.1 s apart, and returns their list.
inline std::vector<PvdFrame> write_sample_frames(const TemporaryFolder& folder, int count) {
  const OutputTopology topology = sample_topology();
  std::filesystem::create_directories(folder / "frames");
  std::vector<PvdFrame> frames;
  for (int step = 0; step < count; ++step) {
    const Points points = sample_points(step);
    Frame frame;
    frame.step = step;
    frame.time = 0.1 * step;
    frame.points = points;
    write_vtu(folder / frame_file(step), topology, frame);
    frames.push_back({frame.time, frame_file(step)});
  }
  return frames;
}

}  // namespace marrow
