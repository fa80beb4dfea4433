// The frames of a run as files of other programs, made afterwards from what the run keeps.
#pragma once

#include <functional>
#include <string>

namespace marrow {

enum class ConvertTo { Vtu, Obj, Ply, Gltf };

// Frames are counted from 0, as in the viewer; last < 0: to the end.
struct FrameRange {
  int first = 0;
  int last = -1;
  int every = 1;
};

struct RunConversion {
  std::string run;     // its folder
  std::string output;  // Gltf: a file .glb or .gltf; else a new or empty folder
  ConvertTo to = ConvertTo::Vtu;
  FrameRange range;
  std::function<void(int done, int total)> on_frame;  // may be empty
};

struct RunConversionReport {
  int frames = 0;  // written
  int copied = 0;  // VTU files of the run, with all their fields
};

// Positions are exact in VTU and OBJ and PLY (as doubles), and single precision in glTF. Frames that the run
// wrote as VTU files are copied. VTU files of other frames have von Mises stresses computed anew, other
// scalar fields of run.mrw to 1/65535 of their range on the points that are drawn, 0 inside; and no
// velocities, which are not kept. Throws InputError if there is no run, it keeps no exact frames, the range
// is empty or the output is not to be written to; OutputError.
RunConversionReport convert_run(const RunConversion& conversion);

}  // namespace marrow
