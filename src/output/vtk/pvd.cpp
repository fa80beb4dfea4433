#include "output/vtk/pvd.h"

#include <fmt/format.h>

#include <charconv>

#include "core/error.h"
#include "core/file.h"
#include "core/types.h"
#include "output/vtk/xml_tags.h"

namespace marrow {

std::string frame_file(int step) { return fmt::format("frames/frame_{:06}.vtu", step); }

int frame_step(const std::string& file) {
  constexpr std::string_view kPrefix = "frames/frame_";
  int step = 0;
  if (!file.starts_with(kPrefix)) return kNone;
  const auto [end, error] = std::from_chars(file.data() + kPrefix.size(), file.data() + file.size(), step);
  return error == std::errc() && file == frame_file(step) ? step : kNone;
}

void write_pvd(const std::string& path, const std::vector<PvdFrame>& frames) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n  "
      "<Collection>\n";
  for (const PvdFrame& frame : frames) {
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", frame.time,
                        escape_xml(frame.file));
  }
  write_file(path, text + "  </Collection>\n</VTKFile>\n");
}

std::vector<PvdFrame> read_pvd(const std::string& path) {
  const std::string text = read_file(path);
  std::vector<PvdFrame> frames;
  bool is_collection = false;
  XmlTag tag;
  for (std::string_view rest = text; take_tag(rest, tag);) {
    if (tag.name == "Collection") is_collection = true;
    if (tag.name != "DataSet") continue;
    PvdFrame frame{0, attribute(tag, "file")};
    const std::string time = attribute(tag, "timestep");
    const auto [end, error] = std::from_chars(time.data(), time.data() + time.size(), frame.time);
    if (error != std::errc() || frame.file.empty()) {
      throw InputError({path, 0, 0, {}}, fmt::format("frame {} has no time or no file", frames.size()), {});
    }
    frames.push_back(std::move(frame));
  }
  if (!is_collection) throw InputError({path, 0, 0, {}}, "not a list of frames (.pvd)", {});
  return frames;
}

}  // namespace marrow
