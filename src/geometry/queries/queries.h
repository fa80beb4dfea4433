// Files of collision queries with known answers.
//
// CSV: eight rows are one query, the four balls at the start, then at the end (edge–edge: ea0 ea1 eb0 eb1;
// point–triangle: v f0 f1 f2). Columns: x, y, z as numerator, denominator; then, in the files with seven
// columns, the answer 0 or 1. Files with six columns have their answers in a JSON list of booleans:
// ../mma_bool/NAME_mma_bool.json or mma_bool.json beside. Integers are read exactly, whatever their length;
// a decimal number with denominator 1 is read to the nearest double.
//
// The same queries can be rebuilt from two frames of a mesh and a JSON list of pairs of ids: vertices
// 0 … V−1; edges V + e, e counting the unique edges sorted by the larger vertex, then the smaller; triangles
// V + E + f.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/ccd/ccd.h"
#include "mesh/mesh.h"

namespace marrow {

struct CcdQuerySet {
  std::string name;  // of the file
  std::vector<CcdQuery> queries;
  std::vector<std::uint8_t> truth;  // per query 1 if the pair touches; empty if not known
};

// What a path says of its queries: a folder edge-edge or vertex-face, or ee or vf in the name.
std::optional<PairKind> find_pair_kind(const std::string& path);

// Queries from the text of a CSV file; name stands for the file in errors. Throws InputError.
CcdQuerySet parse_ccd_queries(std::string_view text, const std::string& name, PairKind kind);

// Reads a CSV file, and its answers from truth_path or, if that is empty, from where they usually are.
CcdQuerySet read_ccd_queries(const std::string& path, std::optional<PairKind> kind = {},
                             const std::string& truth_path = {});

// Two frames of one mesh.
struct FramePair {
  Mesh start, end;
};

// Throws InputError unless both have the same points, edges and triangles in the same order.
FramePair read_frame_pair(const std::string& start_path, const std::string& end_path);

// Rebuilds the queries of a list of pairs from two frames of one mesh.
CcdQuerySet read_ccd_boxes(const std::string& boxes_path, const std::string& start_frame,
                           const std::string& end_frame, const std::string& truth_path = {});

// A JSON list of true and false.
std::vector<std::uint8_t> parse_ccd_truth(std::string_view text, const std::string& name);

// A JSON list of lists of two ids.
std::vector<std::array<int, 2>> parse_ccd_boxes(std::string_view text, const std::string& name);

// Adds the answers of a file of queries or boxes without any: those of truth_path, or of the usual place.
void add_ccd_truth(CcdQuerySet& set, const std::string& path, const std::string& truth_path);

}  // namespace marrow
