// The list of a run's frames with their times (run.pvd): what ParaView opens.
#pragma once

#include <string>
#include <vector>

namespace marrow {

struct PvdFrame {
  double time = 0;   // [s]
  std::string file;  // relative to the list
};

// "frames/frame_000012.vtu".
std::string frame_file(int step);

// The step that frame_file named; kNone for other names.
int frame_step(const std::string& file);

// Replaces the list, all or nothing. Throws OutputError.
void write_pvd(const std::string& path, const std::vector<PvdFrame>& frames);

// Reads a list that write_pvd wrote. Throws InputError.
std::vector<PvdFrame> read_pvd(const std::string& path);

}  // namespace marrow
