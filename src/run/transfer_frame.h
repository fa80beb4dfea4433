// The fields of one body in a frame of a run, on another mesh: what `marrow transfer` does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geometry/transfer/transfer.h"

namespace marrow {

struct FrameTransfer {
  std::string from;           // a frame (.vtu)
  std::string rest;           // a mesh or frame with the places of `from` before it moved; empty: it did not
  std::string to;             // a mesh
  std::string output;         // .vtu
  std::optional<Index> body;  // of the frame, counted from 0; needed where it has several
};

// A component of a field, and its integral before and after.
struct TransferredComponent {
  std::string name;
  double before = 0, after = 0;
};

struct FrameTransferReport {
  TransferReport transfer;
  std::vector<TransferredComponent> components;
  size_t points = 0, cells = 0;  // of the new mesh
  std::vector<Index> inverted;   // cells of the result that are turned over or flat
};

// The frame's point and cell fields go to the new mesh by the L² projection (geometry/transfer). With a rest
// mesh, both meshes are placed as before the motion, and positions are a field like the others: the result is
// the deformed new mesh. Without one, the overlay is that of the frame's points with the new mesh as it is.
// Fields of the result are doubles. Throws InputError and OutputError.
FrameTransferReport transfer_frame(const FrameTransfer& work);

}  // namespace marrow
