// marrow info FILE: describes a mesh, a prepared medial body, a scene, a frame or a run folder.
#include <fmt/format.h>

#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "geometry/curved/surface_deviation.h"
#include "kinematics/elements/curved_elements.h"
#include "marrow/console.h"
#include "marrow/curved_words.h"
#include "marrow/info_results.h"
#include "marrow/verbs.h"
#include "mesh/io/curved_file.h"
#include "mesh/mesh_summary.h"
#include "output/frames/frames_file.h"
#include "output/run/run_folder.h"
#include "output/vtk/pvd.h"
#include "output/vtk/vtu.h"
#include "preprocess/medial/medial_file.h"
#include "scene/build/build.h"
#include "scene/import/import_scene.h"
#include "scene/read_scene.h"
#include "witness/curved_tets.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

std::string format_vec(const Vec3& v) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", v[0], v[1], v[2]); }

void print_mesh(const Mesh& mesh) {
  const MeshSummary s = summarize(mesh);
  fmt::print("  points       {}{}\n", s.points,
             s.loose_points > 0 ? fmt::format(" ({} loose)", s.loose_points) : "");
  if (s.edges > 0) fmt::print("  edges        {}\n", s.edges);
  if (s.triangles > 0) fmt::print("  triangles    {}\n", s.triangles);
  if (s.tets > 0) fmt::print("  tets         {}\n", s.tets);
  fmt::print("  components   {}\n", s.components);
  fmt::print("  box          {} to {} m\n", format_vec(s.lower), format_vec(s.upper));
  if (s.area > 0) fmt::print("  area         {:.6g} m²\n", s.area);
  if (s.volume != 0) fmt::print("  volume       {:.6g} m³\n", s.volume);
  if (s.area > 0) {
    fmt::print("  surface      {}, {}, {}\n", s.closed ? "closed" : "open",
               s.manifold ? "manifold" : "not manifold", s.oriented ? "oriented" : "not oriented");
  }
  if (s.max_edge_length > 0)
    fmt::print("  edge length  {:.6g} to {:.6g} m\n", s.min_edge_length, s.max_edge_length);
  if (s.tets > 0) {
    fmt::print("  worst tet    quality {:.3g} (1 is regular), smallest volume {:.3g} m³\n",
               s.worst_tet_quality, s.min_tet_volume);
  }
  if (s.max_radius > 0) fmt::print("  radii        {:.6g} to {:.6g} m\n", s.min_radius, s.max_radius);
}

void print_medial(const std::string& path) {
  const PreparedMedial prepared = read_medial(path);
  fmt::print("{}: prepared medial body\n", path);
  fmt::print("  handles      {}\n", prepared.handles.size());
  fmt::print("  medial mesh  {} spheres, {} cones, {} slabs\n", prepared.medial.points.size(),
             prepared.medial.edges.size(), prepared.medial.triangles.size());
  fmt::print("  weights      of {} points, {:.1f} handles each\n", prepared.volume.points.size(),
             static_cast<double>(prepared.weights.values.size()) /
                 static_cast<double>(prepared.volume.points.size()));
  fmt::print("  volume       {} tets\n", prepared.volume.tets.size());
  if (!prepared.anchor_centers.empty()) fmt::print("  anchors      {}\n", prepared.anchor_centers.size());
  for (const std::string& note : prepared.notes) fmt::print("  note         {}\n", note);
  fmt::print("its surface:\n");
  print_mesh(prepared.surface);
}

// The kind that the scene gives the body. Where points of a rigid body are prescribed, an affine one does its
// work.
std::string describe_kind(BodyKind kind, const Body& body) {
  return fmt::format("{}{}", enum_name(kind), kind == body.kind ? "" : " (prescribed)");
}

void print_scene(const std::string& path) {
  std::vector<std::string> notices;  // of an import: `marrow check` tells them
  const Scene scene = read_scene_or_import(path, {}, {}, notices);
  const BuiltScene built = build_scene(scene, path);
  fmt::print("{}: scene{}\n", path, scene.name.empty() ? "" : " \"" + scene.name + "\"");
  fmt::print("  time         {:g} s in {} of {:g} s\n", scene.time.duration,
             format_count(built.model.step_count(), "step", "steps"), scene.time.step);
  if (scene.solver.stepper == Stepper::Projective) {
    const bool is_certified = scene.solver.projective.contact == ProjectiveContact::Certified;
    fmt::print(
        "  stepper      projective, contact {}\n",
        is_certified ? "certified: nothing intersects" : "only detected: bodies may pass through each other");
  }
  fmt::print("  gravity      {} m/s²\n  size         {:.6g} m\n", format_vec(scene.gravity),
             built.model.size);
  const std::vector<Body>& bodies = built.model.kinematics.bodies;
  const auto curved = list_curved_bodies(built.model.kinematics, built.model.initial_nodes);
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    double mass = 0;
    for (const double m : body.mass.values) mass += m;
    fmt::print("  {:<12} {}, {}, {}, {}{}\n", body.name, describe_kind(scene.bodies[i].kind, body),
               format_count(static_cast<long>(body.rest.points.size()), "point", "points"),
               format_count(static_cast<long>(body.rest.tets.size()), "tet", "tets"),
               format_count(static_cast<long>(body.rest.triangles.size()), "triangle", "triangles"),
               mass > 0 ? fmt::format(", {:.4g} kg", mass) : "");
    for (const CurvedBodyFacts& facts : curved) {
      if (facts.body == static_cast<Index>(i)) fmt::print("               {}\n", describe_curved_body(facts));
    }
  }
}

void print_frame(const std::string& path) {
  const VtuFrame frame = read_vtu(path);
  fmt::print("{}: frame of step {}, time {:g} s\n", path, frame.step, frame.time);
  Mesh mesh;
  mesh.points = frame.points;
  mesh.edges = frame.edges;
  mesh.triangles = frame.triangles;
  mesh.tets = frame.tets;
  print_mesh(mesh);
  for (const VtuFrame::Curved& tets : frame.curved) {
    fmt::print("  curved tets  {} of order {}\n", CurvedMesh{tets.order, {}, tets.nodes}.tet_count(),
               tets.order);
  }
}

// A mesh of curved tets: its boundary as it is cut by default, and the tets by bounds.
void print_curved_mesh(const CurvedFile& file) {
  CurvedShape shape = make_curved_shape({file.order, file.mesh.points, file.tet_nodes}, file.order, false);
  double volume = 0;
  for (const double part : compute_curved_mass(shape, 1).values) volume += part;
  fmt::print("  order        {}\n  nodes        {}\n  curved tets  {}\n  volume       {:.6g} m³\n",
             file.order, file.mesh.points.size(), shape.volume.tet_count(), volume);
  const auto found =
      find_curved_inversions(shape.volume.nodes, std::vector<CurvedTetList>{{file.order, shape.volume.tets}});
  fmt::print("  turned over  {}\n", found.empty()
                                        ? "none, anywhere inside"
                                        : format_count(static_cast<long>(found.size()), "tet", "tets"));
  fmt::print("its boundary, each face cut into {} × {} triangles, at most {:.3g} m from the curved one:\n",
             file.order, file.order, bound_surface_deviation(shape.volume, file.order));
  print_mesh(shape.surface);
}

// "12 of 30, not finished"; only the first number if the scene is not known.
std::string format_progress(const std::string& folder) {
  const std::string file = folder + "/metrics.jsonl";
  const std::string metrics = is_file(file) ? read_file(file) : "";
  const auto done = std::count(metrics.begin(), metrics.end(), '\n');
  if (!is_file(folder + "/scene.json")) return std::to_string(done);
  Model model;
  model.time = read_scene(folder + "/scene.json").time;
  const int total = model.step_count();
  return fmt::format("{} of {}, {}", done, total, done >= total ? "finished" : "not finished");
}

// Where the glTF file is, or why there is none.
std::string describe_animation(const std::string& folder) {
  if (is_file(folder + "/run.glb")) return folder + "/run.glb";
  const std::string scene = folder + "/scene.json";
  if (is_file(scene) && !read_scene(scene).output.gltf) return "none: the scene has output.gltf off";
  return is_file(folder + "/summary.json") ? "missing, though the run has ended"
                                           : "written when the run ends";
}

void print_run(const std::string& folder) {
  if (!has_run(folder)) {
    throw InputError({folder, 0, 0, {}}, "is a folder without a run",
                     "Give a mesh, a scene, or the folder given to `marrow run -o`.");
  }
  fmt::print("{}: run\n", folder);
  fmt::print("  steps        {}\n", format_progress(folder));
  const std::vector<PvdFrame> files =
      is_file(folder + "/run.pvd") ? read_pvd(folder + "/run.pvd") : std::vector<PvdFrame>();
  if (is_file(folder + "/run.mrw")) {
    FramesReader reader(folder + "/run.mrw");
    reader.update();
    fmt::print("  frames       {}, of these {} as VTU files\n", reader.frames().size(), files.size());
    if (!reader.frames().empty()) fmt::print("  time         {:g} s\n", reader.frames().back().header.time);
  } else if (!files.empty()) {
    fmt::print("  frames       {}\n  time         {:g} s\n", files.size(), files.back().time);
  }
  fmt::print("  animation    {}\n", describe_animation(folder));
  if (is_file(folder + "/scene.json")) print_scene(folder + "/scene.json");
  print_results(folder);
}

int print_info(const std::string& path) {
  std::error_code error;
  if (fs::status(path, error).type() == fs::file_type::not_found) {
    throw InputError({path, 0, 0, {}}, "does not exist", "Check the name.");
  }
  if (error) throw InputError({path, 0, 0, {}}, "cannot be read: " + error.message(), "Check the name.");
  const std::string extension = fs::path(path).extension().string();
  if (is_folder(path)) {
    print_run(path);
  } else if (extension == ".json" || extension == ".txt" || extension == ".ipc") {
    print_scene(path);
  } else if (extension == ".vtu") {
    print_frame(path);
  } else if (extension == ".medial") {
    print_medial(path);
  } else {
    const CurvedFile file = read_curved_file(path);
    fmt::print("{}: mesh, {}\n", path, enum_name(mesh_format_of(path)));
    file.is_curved() ? print_curved_mesh(file) : print_mesh(file.mesh);
  }
  return kExitOk;
}

}  // namespace

void add_info_verb(Verb root) {
  auto path = std::make_shared<std::string>();
  const Verb verb = root.add_verb("info", "Describe a mesh, a medial body, a scene, a frame or a run");
  verb.add_option("file", *path, "Mesh, medial body (.medial), scene (.json), frame (.vtu) or run folder")
      .required();
  verb.add_example("marrow info scene.json", "lists bodies with points, tets and mass")
      .add_example("marrow info bunny.obj", "says how large a mesh is, and whether it is closed");
  verb.set_action([path] { return print_info(*path); });
}

}  // namespace marrow
