// One frame as a VTK XML unstructured grid (.vtu), which ParaView, VTK and meshio read.
//
// Binary, appended, little-endian, 64-bit lengths, compressed by zlib; frames of earlier versions, which were
// not, are read too. Positions are doubles, so that they are exact; fields are floats unless asked for as
// doubles. Cells, in this order: the tets; the triangles of bodies without tets; the wires; the points that
// no cell uses; curved tets as Lagrange cells of VTK. These have points of their own, the nodes, behind all
// others. Point data: velocity, body and the frame's own fields; on nodes, what a frame does not have there
// is 0. Cell data: body and the frame's tet fields (0 on cells that are not tets). Field data: TimeValue,
// Step, and SurfacePoints if there are nodes: how many points precede them.
#pragma once

#include <string>
#include <vector>

#include "output/frames/frame.h"

namespace marrow {

// A frame read back from a file.
struct VtuFrame {
  // Lagrange tets of one order.
  struct Curved {
    int order = 1;
    std::vector<Index> nodes;  // by their number in VtuFrame::nodes, in Gmsh's order
  };
  struct Data {
    std::string name;
    int components = 1;
    std::vector<double> values;
  };
  int step = 0;
  double time = 0;
  Points points;
  std::vector<Edge> edges;
  std::vector<Triangle> triangles;  // of bodies without tets
  std::vector<Tet> tets;
  std::vector<Index> vertices;   // points that no other cell uses
  std::vector<Data> point_data;  // velocity, body, …
  std::vector<Data> cell_data;   // tets, triangles, edges, vertices
  Points nodes;                  // of curved tets
  std::vector<Curved> curved;    // in the order of the file, cells of one order that follow each other joined
  std::vector<Data> node_data;   // as point_data, of the nodes
  std::vector<Data> curved_data;  // as cell_data, of the curved tets
};

// The numbers of fields. Positions are doubles always.
enum class VtuNumbers { Single, Double };

// The bytes of the file.
std::string format_vtu(const OutputTopology& topology, const Frame& frame,
                       VtuNumbers numbers = VtuNumbers::Single);

// Writes the file, all or nothing. Throws OutputError.
void write_vtu(const std::string& path, const OutputTopology& topology, const Frame& frame,
               VtuNumbers numbers = VtuNumbers::Single);

// Reads a file that write_vtu wrote; others are refused. Throws InputError.
VtuFrame read_vtu(const std::string& path);

// The same from bytes; file is the name used in messages.
VtuFrame parse_vtu(const std::string& bytes, const std::string& file);

}  // namespace marrow
