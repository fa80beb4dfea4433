#include "preprocess/medial/prepare_medial.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/activity.h"
#include "core/error.h"
#include "mesh/mesh_check.h"
#include "mesh/mesh_summary.h"
#include "mesh/point_box.h"
#include "preprocess/certificates/normal_frame.h"
#include "preprocess/medial/biharmonic_weights.h"
#include "preprocess/medial/enclose_surface.h"
#include "preprocess/medial/medial_anchors.h"
#include "preprocess/medial/medial_axis.h"
#include "preprocess/medial/medial_debris.h"
#include "preprocess/medial/medial_gates.h"
#include "preprocess/medial/reduce_medial.h"
#include "preprocess/volume/solid_surface.h"
#include "preprocess/volume/surface_samples.h"

namespace marrow {
namespace {

constexpr int kLeastSamples = 6000;  // of the surface, however coarse its mesh
constexpr int kFitSamples = 20000;
// Triangles with longer edges are enclosed in pieces, each by a primitive of its own; box diagonals.
constexpr double kLongestPiece = 1.0 / 50;
constexpr double kSolidCells = 4000;                 // of a lattice, by the solid's volume
constexpr double kFewestCells = 8, kMostCells = 32;  // along its longest side
// With fewer, handles share tets, and spheres move that the body does not follow.
constexpr double kCellsPerHandle = 30, kMostCellsForHandles = 64;
constexpr size_t kPointsPerHandle = 16;
constexpr double kPoorMean = 0.03, kPoorMax = 0.12;  // distances worth a warning; box diagonals
constexpr double kOutside = 0.1;  // a sphere farther from the surface's box is misplaced; diagonals

// The stages in order; the second is left out for a medial mesh from elsewhere.
constexpr const char* kStages[] = {"check the surface", "medial axis", "simplify, fit, enclose",
                                   "measure",           "tets",        "weights"};

// Times stages, one after the other, and says which one goes on.
class StageClock {
 public:
  StageClock(const std::string& name, MedialReport& report)
      : report_(report),
        last_(std::chrono::steady_clock::now()),
        activity_("making a medial body of " + name) {
    enter_next();
  }
  void finish(const std::string& stage) {
    const auto now = std::chrono::steady_clock::now();
    report_.seconds.emplace_back(stage, std::chrono::duration<double>(now - last_).count());
    last_ = now;
    if (stage == "enclose") next_ = 3;
    enter_next();
  }

 private:
  void enter_next() {
    constexpr int kCount = std::size(kStages);
    if (next_ < kCount) activity_.enter_part(next_ + 1, kCount, kStages[next_]);
    ++next_;
  }

  MedialReport& report_;
  std::chrono::steady_clock::time_point last_;
  Activity activity_;
  int next_ = 0;
};

Mesh make_medial(const Solid& solid, const std::string& name, const MedialOptions& options, StageClock& clock,
                 MedialReport& report) {
  const double area = compute_surface_area(solid.surface.points, solid.surface.triangles);
  const double spacing = std::sqrt(area / kLeastSamples);
  const PairedSamples samples = pair_thin_samples(
      sample_by_spacing(solid.surface.points, solid.surface.triangles, spacing), solid.tree);
  Mesh axis = build_medial_axis(samples, solid.tree);
  drop_debris(solid.surface, solid.tree, axis);
  report.samples = static_cast<int>(samples.points.size());
  report.axis_vertices = static_cast<int>(axis.points.size());
  clock.finish("medial axis");
  if (axis.points.empty()) {
    throw InputError({name, 0, 0, {}}, "no medial sphere fits in the surface",
                     "It may be thinner than its triangles; refine it.");
  }
  MedialSimplifier simplifier(axis, solid.diagonal, [&](const Vec3& x) { return solid.tree.is_inside(x); });
  ReducedMedial medial = options.target_error > 0
                             ? reduce_to_error(solid, simplifier, options.target_error, name)
                             : reduce_to_count(solid, simplifier, options.handles, name, report.notes);
  clock.finish("simplify, fit, enclose");
  report.fitted_mean_error = measure_error(solid, medial.fitted).mean;
  return std::move(medial.enclosing);
}

// Says where the point is and where the surface; what: "handle 3".
void check_place(const Eigen::AlignedBox3d& box, const Vec3& x, const std::string& what,
                 const std::string& name, const std::string& advice) {
  if (x.allFinite() && box.exteriorDistance(x) <= kOutside * box.diagonal().norm()) return;
  const Vec3 low = box.min(), high = box.max();
  throw InputError({name, 0, 0, {}},
                   fmt::format("{} is at ({:.3g}, {:.3g}, {:.3g}), far from the surface, "
                               "which reaches from ({:.3g}, {:.3g}, {:.3g}) to ({:.3g}, {:.3g}, {:.3g})",
                               what, x[0], x[1], x[2], low[0], low[1], low[2], high[0], high[1], high[2]),
                   advice);
}

// A medial mesh that is somewhere else would be enlarged until it reaches the surface.
void check_medial(const Eigen::AlignedBox3d& box, const Mesh& medial, const std::string& name) {
  const double diagonal = box.diagonal().norm();
  const char* advice =
      "Surface and medial mesh must describe the same solid, with the same position and units.";
  for (size_t i = 0; i < medial.points.size(); ++i) {
    check_place(box, medial.points[i], fmt::format("sphere {} of the medial mesh", i), name, advice);
    if (medial.radii[i] <= diagonal) continue;
    throw InputError(
        {name, 0, 0, {}},
        fmt::format("sphere {} of the medial mesh has the radius {:.3g}, but the surface is only "
                    "{:.3g} large",
                    i, medial.radii[i], diagonal),
        advice);
  }
  for (size_t i = 0; i < medial.edges.size(); ++i) {
    if (medial.edges[i][0] != medial.edges[i][1]) continue;
    throw InputError(
        {name, 0, 0, {}},
        fmt::format("cone {} of the medial mesh joins sphere {} with itself", i, medial.edges[i][0]),
        "A cone joins two spheres.");
  }
}

// Handles by hand: in or near the solid, each at a place of its own.
void add_extra_handles(const Eigen::AlignedBox3d& box, const NormalFrame& frame, const Points& extra,
                       const std::string& name, Points& handles) {
  for (size_t i = 0; i < extra.size(); ++i) {
    check_place(box, extra[i], fmt::format("the extra handle {}", i + 1), name,
                "Place it in the solid, in the units of the mesh.");
    const Vec3 x = frame.enter(extra[i]);
    if (std::find(handles.begin(), handles.end(), x) != handles.end()) {
      throw InputError({name, 0, 0, {}},
                       fmt::format("the extra handle {} coincides with another handle", i + 1),
                       "Move it, or leave it out.");
    }
    handles.push_back(x);
  }
}

// A medial mesh from elsewhere: checked, gated and enlarged.
Mesh adopt_medial(const Solid& solid, const Eigen::AlignedBox3d& box, const NormalFrame& frame,
                  const GivenMedial& given, StageClock& clock, MedialReport& report) {
  Mesh medial = given.mesh;
  check_mesh({medial.points, medial.radii, {}, medial.triangles, {}}, given.name);
  if (medial.radii.empty()) {
    throw InputError({given.name, 0, 0, {}}, "the medial mesh has no radii", "Name a .ma or .mat file.");
  }
  check_medial(box, medial, given.name);
  medial.points = frame.enter(std::move(medial.points));
  for (double& r : medial.radii) r = frame.enter_length(r);
  const size_t spheres = medial.points.size(), slabs = medial.triangles.size();
  apply_gates(medial);
  report.fitted_mean_error = measure_error(solid, medial).mean;
  enclose_with_gates(solid, medial);
  if (medial.points.size() < spheres || medial.triangles.size() < slabs) {
    report.notes.push_back(
        fmt::format("{} of the {} spheres and {} of the {} slabs are kept: the others lie inside their "
                    "neighbours, as given or after enlarging to enclose the surface",
                    medial.points.size(), spheres, medial.triangles.size(), slabs));
  }
  clock.finish("enclose");
  return medial;
}

void report_medial(const Solid& solid, const Mesh& medial, MedialReport& report) {
  report.handles = static_cast<int>(medial.points.size());
  for (const MedialPrimitive& primitive : list_primitives(medial)) {
    ++(primitive.count == 3 ? report.slabs : primitive.count == 2 ? report.cones : report.spheres);
  }
  const MedialError error = measure_error(solid, medial);
  report.mean_error = error.mean;
  report.max_error = error.max;
  const Enclosure enclosure = measure_enclosure(solid.pieces, medial);
  report.enclosed = enclosure.vertices;
  report.enclosed_triangles = enclosure.triangles;
  if (report.mean_error <= kPoorMean && report.max_error <= kPoorMax) return;
  report.notes.push_back(
      fmt::format("the medial mesh fits badly: its distance from the surface is {:.1f} % of the box diagonal "
                  "on average and {:.0f} % at most. Use more handles, refine the surface where it is thin, "
                  "or choose another kind of body (soft, affine)",
                  100 * report.mean_error, 100 * report.max_error));
}

// The tet of a point of a mesh that is no lattice: by its nearest surface or the tet that holds it.
EmbeddedPoint locate_in_tets(const Mesh& volume, const Vec3& x) {
  EmbeddedPoint best;
  double most = -std::numeric_limits<double>::infinity();
  for (size_t t = 0; t < volume.tets.size(); ++t) {
    const Tet& v = volume.tets[t];
    Mat3 edges;
    for (int i = 0; i < 3; ++i) edges.col(i) = volume.points[v[i + 1]] - volume.points[v[0]];
    const Vec3 local = edges.inverse() * (x - volume.points[v[0]]);
    const Vec4 weights(1 - local.sum(), local[0], local[1], local[2]);
    if (weights.minCoeff() > most) {
      most = weights.minCoeff();
      best = {static_cast<Index>(t), weights};
    }
    if (most >= 0) break;
  }
  best.weights = best.weights.cwiseMax(0);
  best.weights /= best.weights.sum();
  return best;
}

// How fine a lattice is: every cell costs time in every step. least: of the solid's cells.
int choose_cells(const Solid& solid, double least, size_t handles) {
  const double volume = compute_enclosed_volume(solid.surface.points, solid.surface.triangles);
  const double length = solid.box.sizes().maxCoeff() / std::cbrt(std::max(volume, 1e-300));
  const double cells = std::clamp(length * std::cbrt(least), kFewestCells, kMostCells);
  const double needed = kCellsPerHandle * static_cast<double>(handles);
  return static_cast<int>(std::max(cells, std::min(length * std::cbrt(needed), kMostCellsForHandles)));
}

// The tets of the mesh itself, or a lattice; and where handles and surface points are in them.
std::vector<EmbeddedPoint> build_volume(const Mesh& mesh, const Solid& solid, const NormalFrame& frame,
                                        const MedialOptions& options, PreparedMedial& prepared,
                                        std::vector<std::string>& notes) {
  std::vector<EmbeddedPoint> handles;
  const bool is_coarse = mesh.points.size() < kPointsPerHandle * prepared.handles.size();
  if (!mesh.tets.empty() && is_coarse) {
    notes.push_back(fmt::format("its {} tets are too few for {} handles; a lattice is used instead",
                                mesh.tets.size(), prepared.handles.size()));
  }
  if (mesh.tets.empty() || is_coarse) {
    const double least = mesh.tets.empty() ? kSolidCells : static_cast<double>(mesh.tets.size()) / 6;
    const int cells = options.cells > 0 ? options.cells : choose_cells(solid, least, prepared.handles.size());
    Lattice lattice = build_lattice(solid.surface, solid.tree, cells, LatticeSolid::ClosedInParts);
    for (const Vec3& x : prepared.handles) handles.push_back(lattice.locate(x));
    for (const Vec3& x : prepared.surface.points) {
      prepared.embedded.push_back(lattice.locate(frame.enter_exactly(x)));
    }
    prepared.volume = std::move(lattice.mesh);
    prepared.fills = std::move(lattice.fills);
    return handles;
  }
  prepared.volume.points = frame.enter(mesh.points);
  prepared.volume.tets = mesh.tets;
  prepared.fills.assign(mesh.tets.size(), 1);
  for (const Vec3& x : prepared.handles) handles.push_back(locate_in_tets(prepared.volume, x));
  // Surface points are points of the tets.
  std::vector<std::array<Index, 2>> corner_of(mesh.points.size(), {kNone, 0});
  for (size_t t = 0; t < mesh.tets.size(); ++t) {
    for (int c = 0; c < 4; ++c) corner_of[mesh.tets[t][c]] = {static_cast<Index>(t), c};
  }
  const auto less = [&](Index a, Index b) {
    const Vec3 &p = mesh.points[a], &q = mesh.points[b];
    return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
  };
  std::vector<Index> sorted;
  for (Index i = 0; i < static_cast<Index>(mesh.points.size()); ++i) {
    if (corner_of[i][0] != kNone) sorted.push_back(i);
  }
  std::sort(sorted.begin(), sorted.end(), less);
  for (const Vec3& x : prepared.surface.points) {
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), x, [&](Index i, const Vec3& value) {
      const Vec3& p = mesh.points[i];
      return std::lexicographical_compare(p.data(), p.data() + 3, value.data(), value.data() + 3);
    });
    if (found == sorted.end() || mesh.points[*found] != x) {
      prepared.embedded.push_back(locate_in_tets(prepared.volume, frame.enter(x)));
      continue;
    }
    EmbeddedPoint point{corner_of[*found][0], Vec4::Zero()};
    point.weights[corner_of[*found][1]] = 1;
    prepared.embedded.push_back(point);
  }
  return handles;
}

// Back to the coordinates of the mesh.
void leave_frame(const NormalFrame& frame, const Mesh& mesh, PreparedMedial& prepared) {
  const bool is_own =
      prepared.volume.points.size() == mesh.points.size() && prepared.volume.tets == mesh.tets;
  prepared.volume.points = is_own ? mesh.points : frame.leave(std::move(prepared.volume.points));
  prepared.medial.points = frame.leave(std::move(prepared.medial.points));
  prepared.handles = frame.leave(std::move(prepared.handles));
  for (double& r : prepared.medial.radii) r = frame.leave_length(r);
}

void check_options(const MedialOptions& options, const std::string& name) {
  if (options.target_error > 0 || options.handles >= 1) return;
  throw InputError({name, 0, 0, {}}, fmt::format("{} handles are requested", options.handles),
                   "A medial mesh needs at least one.");
}

}  // namespace

double MedialReport::total_seconds() const {
  double sum = 0;
  for (const auto& [stage, time] : seconds) sum += time;
  return sum;
}

PreparedMedial prepare_medial(const Mesh& mesh, const std::string& name, const MedialOptions& options,
                              MedialReport& report, const GivenMedial* given) {
  check_options(options, name);
  StageClock clock(name, report);
  SolidSurface surface = make_solid_surface(mesh, name);
  report.notes = std::move(surface.notes);
  if (surface.part_count > 1) {
    report.notes.push_back(
        fmt::format("the surface has {} parts; they move together only as far as the weights couple them",
                    surface.part_count));
  }
  if (!mesh.tets.empty()) check_tet_mesh({mesh.points, {}, {}, {}, mesh.tets}, name);
  PreparedMedial prepared;
  prepared.surface = std::move(surface.mesh);
  const Eigen::AlignedBox3d box = compute_box(prepared.surface.points);
  const NormalFrame frame(prepared.surface.points);
  const Mesh normal = {frame.enter(prepared.surface.points), {}, {}, prepared.surface.triangles, {}};
  const TriangleTree tree(normal.points, normal.triangles);
  const Eigen::AlignedBox3d normal_box = compute_box(normal.points);
  const double diagonal = normal_box.diagonal().norm();
  const Solid solid{normal,   cut_triangles(normal.points, normal.triangles, kLongestPiece * diagonal),
                    tree,     normal_box,
                    diagonal, sample_by_area(normal.points, normal.triangles, kFitSamples)};
  clock.finish("check the surface");

  prepared.medial = given == nullptr ? make_medial(solid, name, options, clock, report)
                                     : adopt_medial(solid, box, frame, *given, clock, report);
  report_medial(solid, prepared.medial, report);
  clock.finish("measure");

  prepared.handles = list_handles(prepared, normal, options.anchor_groups, prepared.columns);
  add_extra_handles(box, frame, options.extra_handles, name, prepared.handles);
  finish_columns(prepared, name);
  const std::vector<EmbeddedPoint> handles =
      build_volume(mesh, solid, frame, options, prepared, report.notes);
  clock.finish("tets");
  std::vector<std::vector<Index>> anchored;
  for (const Points& group : options.anchor_groups) {
    anchored.push_back(list_anchored(prepared, group, name));
    Vec3 sum = Vec3::Zero();
    for (const Vec3& x : group) sum += x;
    prepared.anchor_centers.push_back(sum / static_cast<double>(group.size()));
  }
  prepared.weights =
      compute_biharmonic_weights(prepared.volume, handles, anchored, {.threshold = options.weight_threshold});
  leave_frame(frame, mesh, prepared);
  report.handles = static_cast<int>(prepared.handles.size());
  report.volume_points = static_cast<int>(prepared.volume.points.size());
  report.tets = static_cast<int>(prepared.volume.tets.size());
  report.handles_per_point = static_cast<double>(prepared.weights.values.size()) / report.volume_points;
  clock.finish("weights");
  prepared.notes = report.notes;
  return prepared;
}

}  // namespace marrow
