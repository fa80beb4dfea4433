// What the methods of marrow selfcollide share: frames, and their verdict.
#pragma once

#include <string>
#include <vector>

#include "geometry/bvh/node.h"
#include "mesh/mesh.h"

namespace marrow {

struct MedialCollideArguments {
  std::string rest;  // a mesh, or a .medial file
  std::vector<std::string> frames;
  std::string bound = "measured";
  int handles = 100;
  int list = 0;
  bool json = false;
};

// --method medial. Returns the exit code.
int run_selfcollide_medial(const MedialCollideArguments& arguments);

// A frame of our own runs, or a mesh of any format.
Mesh read_any(const std::string& path);

// Throws InputError unless its triangles are those of the rest mesh.
Points read_frame(const std::string& path, const Mesh& rest);

size_t count_differences(const std::vector<IndexPair>& a, const std::vector<IndexPair>& b);

}  // namespace marrow
