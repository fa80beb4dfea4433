#include "run/convert_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <map>

#include "core/error.h"
#include "core/file.h"
#include "mesh/io/mesh_file.h"
#include "output/gltf/gltf.h"
#include "output/run/exact_frames.h"
#include "output/run/topology.h"
#include "output/vtk/pvd.h"
#include "output/vtk/vtu.h"
#include "potentials/elastic/von_mises.h"
#include "run/output_file.h"
#include "run/scene_look.h"
#include "run/textures.h"
#include "scene/build/build.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

class RunConverter {
 public:
  explicit RunConverter(const RunConversion& conversion)
      : conversion_(conversion),
        scene_path_(conversion.run + "/scene.json"),
        scene_(read_scene(scene_path_)),
        built_(build_scene(scene_, scene_path_)),
        record_(open_record()),
        topology_(make_topology(built_.model, describe_look(scene_))) {
    list_frames();
    if (is_file(conversion.run + "/run.pvd")) {
      for (const PvdFrame& file : read_pvd(conversion.run + "/run.pvd")) {
        files_[frame_step(file.file)] = file.file;
      }
    }
  }

  RunConversionReport write() {
    RunConversionReport report;
    report.frames = static_cast<int>(frames_.size());
    if (conversion_.to == ConvertTo::Gltf) {
      write_animation();
      return report;
    }
    make_folder(conversion_.output);
    if (conversion_.to == ConvertTo::Vtu) make_folder(conversion_.output + "/frames");
    for (size_t i = 0; i < frames_.size(); ++i) {
      if (conversion_.to == ConvertTo::Vtu) {
        report.copied += write_vtu_file(frames_[i]) ? 1 : 0;
      } else {
        write_mesh_file(frames_[i]);
      }
      if (conversion_.on_frame) conversion_.on_frame(static_cast<int>(i) + 1, report.frames);
    }
    if (conversion_.to == ConvertTo::Vtu) write_pvd(conversion_.output + "/run.pvd", written_);
    return report;
  }

 private:
  ExactFrames open_record() const {
    const std::string path = conversion_.run + "/run.mrw";
    ExactFrames record(path, built_.model);
    if (record.is_complete() && record.size() > 0) return record;
    throw InputError({path, 0, 0, {}}, "does not hold exact frames of this scene",
                     "Run the scene with \"output\": {\"viewer\": true, \"exact\": true}.");
  }

  void list_frames() {
    const FrameRange& range = conversion_.range;
    const int count = static_cast<int>(record_.size());
    const int last = range.last < 0 ? count - 1 : range.last;
    if (range.first >= count || last >= count || range.first > last) {
      throw InputError({conversion_.run, 0, 0, {}}, fmt::format("has no frames {} to {}", range.first, last),
                       fmt::format("It has {} frames, counted from 0.", count));
    }
    for (int i = range.first; i <= last; i += range.every) frames_.push_back(static_cast<size_t>(i));
  }

  // Answers true if the run has written it already, with all fields.
  bool write_vtu_file(size_t index) {
    const int step = record_.step(index);
    const std::string file = frame_file(step), path = conversion_.output + "/" + file;
    written_.push_back({record_.time(index), file});
    if (const auto found = files_.find(step); found != files_.end()) {
      write_file(path, read_file(conversion_.run + "/" + found->second));
      return true;
    }
    const VecX nodes = record_.read_nodes(index);
    Points points;
    compute_points(built_.model.kinematics, nodes, points);
    const std::vector<double> node_stress =
        compute_node_von_mises(built_.model.kinematics, built_.model.materials, nodes);
    const std::vector<double> stress = spread_to_points(built_.model.kinematics, node_stress);
    const std::vector<ExactFrames::Field> fields = record_.read_fields(index);
    Frame frame;
    frame.step = step;
    frame.time = record_.time(index);
    frame.points = points;
    frame.nodes = {nodes.data(), static_cast<size_t>(nodes.size())};
    frame.node_scalars.push_back({"von_mises", node_stress});
    frame.point_scalars.push_back({"von_mises", stress});
    for (const ExactFrames::Field& field : fields) {
      if (field.name != "von_mises") frame.point_scalars.push_back({field.name, field.values});
    }
    write_vtu(path, topology_, frame);
    return false;
  }

  void write_mesh_file(size_t index) const {
    Mesh mesh;
    mesh.points = record_.read_points(index);
    mesh.edges = topology_.edges;
    mesh.triangles = topology_.triangles;
    const char* ending = conversion_.to == ConvertTo::Obj ? "obj" : "ply";
    write_mesh(fmt::format("{}/frame_{:06}.{}", conversion_.output, record_.step(index), ending), mesh);
  }

  // All frames asked for, however many.
  void write_animation() {
    const std::string folder = std::filesystem::absolute(conversion_.output).parent_path().string();
    const auto textures = load_textures(scene_, scene_path_, built_.model.kinematics, folder);
    for (size_t b = 0; b < textures.size(); ++b) topology_.bodies[b].texture = textures[b];
    GltfFrames frames;
    for (const size_t index : frames_) frames.times.push_back(record_.time(index));
    frames.read_points = [&](size_t frame) { return record_.read_points(frames_[frame]); };
    GltfOptions options;
    options.max_frames = std::numeric_limits<int>::max();
    options.max_bytes = std::numeric_limits<std::uint64_t>::max();
    write_gltf(conversion_.output, topology_, frames, options);
  }

  const RunConversion& conversion_;
  std::string scene_path_;
  Scene scene_;
  BuiltScene built_;
  ExactFrames record_;
  OutputTopology topology_;
  std::vector<size_t> frames_;
  std::map<int, std::string> files_;  // VTU files of the run, by step
  std::vector<PvdFrame> written_;
};

// A folder must be new or empty, a file must be none of the run's.
void check_target(const RunConversion& conversion) {
  const std::string& output = conversion.output;
  if (conversion.to == ConvertTo::Gltf) {
    return check_output(output, {conversion.run + "/run.glb", conversion.run + "/run.mrw"},
                        {".glb", ".gltf"});
  }
  if (is_file(output)) {
    throw InputError({output, 0, 0, {}}, "is a file, not a folder", "Name another folder with -o.");
  }
  if (!is_folder(output) || list_folder(output).empty()) return;
  throw InputError({output, 0, 0, {}}, "is a folder that is not empty", "Name another folder with -o.");
}

}  // namespace

RunConversionReport convert_run(const RunConversion& conversion) {
  if (!is_file(conversion.run + "/scene.json") || !is_file(conversion.run + "/run.mrw")) {
    throw InputError({conversion.run, 0, 0, {}}, "is a folder without a run, or the run has no run.mrw",
                     "Name the folder given to `marrow run -o`.");
  }
  check_target(conversion);
  return RunConverter(conversion).write();
}

}  // namespace marrow
