// The geometry of Medial Elastics: are bounds sound and tight, and what does culling save?
//
//   bench_medial_elastics [FRAMES [PARTS]]   frames of the campaign, 100000; parts: any of c(ampaign)
//   t(ightness)
//                                            r(epresentatives) e(ffectiveness) b(rute force)
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <string>

#include "exec/parallel.h"
#include "medial_trees.h"
#include "mesh/io/mesh_file.h"
#include "mesh/point_box.h"
#include "preprocess/medial/measure_medial.h"
#include "preprocess/medial_trials.h"
#include "preprocess/solids.h"

namespace marrow {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

MedialRest prepare_example(const std::string& name, int handles) {
  const Mesh mesh = read_mesh(fmt::format("{}/examples/medial/meshes/{}.obj", MARROW_SOURCE_DIR, name));
  MedialOptions options;
  options.handles = handles;
  MedialReport report;
  const PreparedMedial prepared = prepare_medial(mesh, name, options, report);
  return make_medial_rest(prepared, list_body_handles(prepared, HandleKind::Affine));
}

struct Campaign {
  size_t frames = 0, points = 0, outside = 0, pairs = 0, missed = 0, invented = 0;
  double worst = -1e300;

  void add(const MedialTrial& trial) {
    ++frames;
    points += trial.points;
    outside += trial.outside;
    pairs += trial.pairs;
    missed += trial.missed;
    invented += trial.invented;
    worst = std::max(worst, trial.worst);
  }
  void print(const std::string& name) const {
    fmt::print("| {} | {} | {} | {} | {:.1e} | {} | {} | {} |\n", name, frames, points, outside, worst, pairs,
               missed, invented);
    std::fflush(stdout);
  }
};

void run_campaign(size_t frames) {
  fmt::print(
      "## Soundness: random deformations against an exact search\n\n"
      "Seven kinds of deformation by four kinds of bounds, one body with itself and two with each other. "
      "*Outside*: "
      "corners of pieces of triangles that are not in their primitive; *worst*: the largest gap of one to it "
      "(below "
      "0: inside). *Missed* and *invented*: pairs of triangles against the exact search.\n\n"
      "| body | frames | points | outside | worst [m] | meeting pairs | missed | invented |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  const RodShape rod = {.length = 1, .radius = 0.06, .resolution = 1, .segments = 16};
  const TorusShape ring = {.resolution = 1, .segments = 24};
  const BoxShape bar = {.size = {1, 0.2, 0.3}, .cells_x = 2, .cells_y = 1, .cells_z = 1};
  std::vector<MedialSolid> solids = {
      prepare_solid("rod", make_surface(rod), 8, HandleKind::Affine),
      prepare_solid("rod, quadratic", make_surface(rod), 4, HandleKind::Quadratic),
      prepare_solid("ring", make_surface(ring), 10, HandleKind::Affine),
      prepare_solid("bar", make_surface(bar), 5, HandleKind::Quadratic)};
  std::vector<MedialBounds> bounds;
  for (const MedialSolid& solid : solids)
    bounds.emplace_back(solid.rest, BoundOptions{.representatives = 64, .piece_size = 0.05});
  MedialCulling culling;
  const auto draw = [](unsigned seed) { return 0.05 + 0.95 * ((seed * 2654435761u >> 8) % 1000) / 1000.0; };
  Campaign all;
  const size_t each = frames / 5;
  for (size_t body = 0; body < bounds.size(); ++body) {
    Campaign own;
    for (unsigned seed = 0; seed < each; ++seed) {
      const Deformation deformation = kDeformations[seed % kDeformations.size()];
      const auto kind = static_cast<BoundKind>(seed / 7 % 4);
      const MedialTrial trial = try_self(
          bounds[body], kind, deform_nodes(solids[body].rest, deformation, draw(seed), seed), culling);
      own.add(trial);
      all.add(trial);
    }
    own.print(solids[body].name);
  }
  Campaign two;
  for (unsigned seed = 0; seed < frames - 4 * each; ++seed) {
    const size_t i = seed % 4, j = seed / 4 % 4;
    const VecX a = deform_nodes(solids[i].rest, kDeformations[seed % 7], draw(seed), seed);
    VecX b = deform_nodes(solids[j].rest, kDeformations[seed / 7 % 7], draw(seed + 1), seed + 7);
    const Vec3 shift =
        compute_surface(solids[i].rest, a)[seed % 20] - compute_surface(solids[j].rest, b)[seed % 17];
    for (Eigen::Index k = 0; k < b.size() / 3; ++k) b.segment<3>(3 * k) += shift;
    const MedialTrial trial =
        try_two(bounds[i], a, bounds[j], b, static_cast<BoundKind>(seed / 49 % 4), culling);
    two.add(trial);
    all.add(trial);
  }
  two.print("two of these");
  all.print("**all**");
}

// Mean distance in both directions, of the largest side at rest.
double measure_cover(const MedialRest& rest, const VecX& n, const MedialCover& cover) {
  Mesh surface = rest.surface;
  surface.points = compute_surface(rest, n);
  const double side = compute_box(rest.surface.points).sizes().maxCoeff();
  const TriangleTree tree(surface.points, surface.triangles);
  return measure_medial(surface, tree, make_mesh(cover), side / 40).mean / side;
}

struct Pose {
  const char* name;
  Deformation deformation;
  double t;
};
constexpr std::array<Pose, 4> kPoses = {{{"bent", Deformation::Bend, 0.7},
                                         {"twisted", Deformation::Twist, 0.7},
                                         {"stretched", Deformation::Stretch, 0.4},
                                         {"waves", Deformation::Wave, 0.4}}};

struct Figure {
  std::string name;
  MedialRest rest;
};

void print_tightness(const std::vector<Figure>& figures) {
  fmt::print(
      "\n## Tightness: mean distance of surface and primitives\n\n"
      "In both directions, of the box's largest side at rest; bends and twists of up to 2 radians, a "
      "rotation and a "
      "motion on top. The paper: 1.9 % (cactus, bent by nearly 90 degrees) and 2.1 % (Armadillo) for its "
      "deformation "
      "bounding, 29.4 % and 18.2 % for displacement bounding. *Paper's form*: rigid, one representative at "
      "the "
      "largest values (corrected as in the model page). *Shared*: spheres take the largest radius of their "
      "primitives, as in the paper. *Measured*: every point is looked at, which no bound can beat.\n\n"
      "| body | pose | at rest | displacement | paper's form | rigid | affine | affine, shared | measured |\n"
      "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  for (const Figure& figure : figures) {
    const MedialBounds bounds(figure.rest), paper(figure.rest, {.representatives = 1});
    MedialCover cover;
    bounds.update(BoundKind::Affine, rest_nodes(figure.rest), cover);
    const double at_rest = measure_cover(figure.rest, rest_nodes(figure.rest), cover);
    for (const Pose& pose : kPoses) {
      const VecX n = deform_nodes(figure.rest, pose.deformation, pose.t, 3);
      const auto error = [&](const MedialBounds& which, BoundKind kind, bool is_shared) {
        which.update(kind, n, cover);
        if (is_shared) share_radii(which.primitives(), figure.rest.medial.points.size(), cover);
        return 100 * measure_cover(figure.rest, n, cover);
      };
      // Radii of displacement bounding exceed the body: their growth says enough.
      bounds.update(BoundKind::Displacement, n, cover);
      double growth = 0;
      for (const double g : cover.growth) growth += g / static_cast<double>(cover.growth.size());
      const double side = compute_box(figure.rest.surface.points).sizes().maxCoeff();
      fmt::print(
          "| {} | {} | {:.2f} % | > {:.0f} % | {:.2f} % | {:.2f} % | {:.2f} % | {:.2f} % | {:.2f} % |\n",
          figure.name, pose.name, 100 * at_rest, 50 * growth / side, error(paper, BoundKind::Rigid, false),
          error(bounds, BoundKind::Rigid, false), error(bounds, BoundKind::Affine, false),
          error(bounds, BoundKind::Affine, true), error(bounds, BoundKind::Measured, false));
      std::fflush(stdout);
    }
  }
}

void print_representatives(const Figure& figure) {
  fmt::print(
      "\n## Representatives: tightness and time of one update\n\n"
      "The {} bent; affine bounds. Processor time of one thread, the least of ten.\n\n"
      "| representatives | mean distance | update [µs] | preparation [s] |\n| ---: | ---: | ---: | ---: |\n",
      figure.name);
  const VecX n = deform_nodes(figure.rest, Deformation::Bend, 0.7, 3);
  for (const int count : {1, 4, 16, 64, 256}) {
    const double start = processor_seconds();
    const MedialBounds bounds(figure.rest, {.representatives = count});
    const double preparation = processor_seconds() - start;
    MedialCover cover;
    double least = INFINITY;
    for (int k = 0; k < 10; ++k) {
      const double begin = processor_seconds();
      for (int repeat = 0; repeat < 20; ++repeat) bounds.update(BoundKind::Affine, n, cover);
      least = std::min(least, (processor_seconds() - begin) / 20);
    }
    fmt::print("| {} | {:.2f} % | {:.0f} | {:.2f} |\n", count, 100 * measure_cover(figure.rest, n, cover),
               1e6 * least, preparation);
    std::fflush(stdout);
  }
}

// Leaves so that the error is the wanted one, by halving the interval.
size_t find_leaf_count(LeafKind kind, const Mesh& mesh, const TriangleTree& tree, double error) {
  size_t low = 1, high = mesh.triangles.size();
  while (low + std::max<size_t>(1, low / 20) < high) {
    const size_t middle = (low + high) / 2;
    (LeafTree(kind, mesh, middle).measure_error(tree) > error ? low : high) = middle;
  }
  return high;
}

// Two bodies, one of which can be moved.
struct Meeting {
  const Figure& first;
  const Figure& second;
  MedialBounds a, b;
  VecX na, nb;

  Meeting(const Figure& one, const Figure& two)
      : first(one),
        second(two),
        a(one.rest),
        b(two.rest),
        na(deform_nodes(one.rest, Deformation::Wave, 0.2, 5)),
        nb(deform_nodes(two.rest, Deformation::Wave, 0.2, 6)) {}

  VecX move(const Vec3& shift) const {
    VecX moved = nb;
    for (Eigen::Index i = 0; i < nb.size() / 3; ++i) moved.segment<3>(3 * i) += shift;
    return moved;
  }

  // Twelve places of the second around the first: the depth of its penetration along the way there is this.
  std::vector<VecX> list_places(double depth) const {
    const Points x = compute_surface(first.rest, na), y = compute_surface(second.rest, nb);
    const Vec3 start = compute_box(x).center() - compute_box(y).center();
    const double size = compute_diagonal(x) + compute_diagonal(y);
    std::vector<VecX> places;
    for (int k = 0; k < 12; ++k) {
      const double angle = 0.5 * k;
      const Vec3 u = Vec3(std::cos(angle), 0.3 * (k % 3 - 1), std::sin(angle)).normalized();
      double in = 0, out = size;
      for (int step = 0; step < 20; ++step) {
        const double middle = 0.5 * (in + out);
        const Points moved = compute_surface(second.rest, move(start + middle * u));
        const bool meets =
            !find_meeting_exactly(first.rest.surface.triangles, x, second.rest.surface.triangles, moved)
                 .empty();
        (meets ? in : out) = middle;
      }
      places.push_back(move(start + (in - depth) * u));
    }
    return places;
  }
};

struct LeafRow {
  std::string name;
  LeafKind kind;
  size_t leaves_a, leaves_b;
  LeafCounts counts;
};

// As many leaves as primitives, and as many as have the same mean distance from the surface.
std::vector<LeafRow> choose_leaves(const Meeting& meeting) {
  const auto deform = [](const Figure& figure, const VecX& n) {
    Mesh mesh = figure.rest.surface;
    mesh.points = compute_surface(figure.rest, n);
    return mesh;
  };
  const auto error = [](const Figure& figure, const MedialBounds& bounds, const VecX& n) {
    MedialCover cover;
    bounds.update(BoundKind::Affine, n, cover);
    return measure_cover(figure.rest, n, cover) * compute_box(figure.rest.surface.points).sizes().maxCoeff();
  };
  const Mesh x = deform(meeting.first, meeting.na), y = deform(meeting.second, meeting.nb);
  const TriangleTree tree_x(x.points, x.triangles), tree_y(y.points, y.triangles);
  const double error_x = error(meeting.first, meeting.a, meeting.na);
  const double error_y = error(meeting.second, meeting.b, meeting.nb);
  std::vector<LeafRow> rows;
  for (const LeafKind kind : {LeafKind::Box, LeafKind::Sphere}) {
    const std::string name = kind == LeafKind::Box ? "boxes" : "spheres";
    rows.push_back(
        {name + ", same number", kind, meeting.a.primitives().size(), meeting.b.primitives().size(), {}});
    rows.push_back({name + ", same error",
                    kind,
                    find_leaf_count(kind, x, tree_x, error_x),
                    find_leaf_count(kind, y, tree_y, error_y),
                    {}});
  }
  return rows;
}

void print_meeting(const Meeting& meeting, std::vector<LeafRow> rows, double depth) {
  struct MedialRow {
    const char* name;
    BoundKind kind;
    size_t tests = 0, overlaps = 0, left = 0;
  };
  std::array<MedialRow, 2> medial = {
      {{"medial, affine bounds", BoundKind::Affine}, {"medial, measured bounds", BoundKind::Measured}}};
  Mesh x = meeting.first.rest.surface, y = meeting.second.rest.surface;
  x.points = compute_surface(meeting.first.rest, meeting.na);
  size_t meets = 0;
  MedialCulling culling;
  for (const VecX& nb : meeting.list_places(depth)) {
    size_t pairs = 0;
    for (MedialRow& row : medial) {
      const MedialTrial trial = try_two(meeting.a, meeting.na, meeting.b, nb, row.kind, culling);
      if (trial.missed + trial.invented + trial.outside > 0) fmt::print("FAULT: the search differs\n");
      row.tests += trial.culled.primitive_tests;
      row.overlaps += trial.overlaps;
      row.left += trial.voxels.box_tests;
      pairs = trial.pairs;
    }
    meets += pairs;
    y.points = compute_surface(meeting.second.rest, nb);
    for (LeafRow& row : rows)
      count_meetings(LeafTree(row.kind, x, row.leaves_a), LeafTree(row.kind, y, row.leaves_b), 0, 0,
                     row.counts);
  }
  const auto print = [&](const std::string& name, size_t one, size_t two, size_t tests, size_t pairs,
                         size_t left) {
    fmt::print("| {:.0f} % | {} | {} + {} | {} | {} | {} | {} | {:.2f} |\n", 100 * depth, name, one, two,
               tests, pairs, left, meets,
               static_cast<double>(pairs) / static_cast<double>(std::max<size_t>(1, meets)));
  };
  const size_t one = meeting.a.primitives().size(), two = meeting.b.primitives().size();
  for (const MedialRow& row : medial) print(row.name, one, two, row.tests, row.overlaps, row.left);
  for (const LeafRow& row : rows)
    print(row.name, row.leaves_a, row.leaves_b, row.counts.tests, row.counts.leaf_pairs,
          row.counts.triangle_pairs);
  std::fflush(stdout);
}

void print_effectiveness(const Figure& first, const Figure& second) {
  fmt::print(
      "\n## Culling: two bodies that meet\n\n"
      "The {} and the {}, both bent a little, in twelve places around each other, and so deep in each other "
      "(*depth* [m]: 1 % is a touch; bodies are about 1 m large). *Tests*: pairs of volumes on all levels of "
      "a tree; of "
      "medial primitives those whose boxes overlap. *Pairs*: volumes of the last level that overlap; "
      "*effectiveness*: these by the pairs of triangles that meet, as in figure 16 of the paper (less is "
      "better). "
      "*Left*: triangle pairs that are left to compare (medial: those that share a voxel). Same number: as "
      "many leaves as "
      "primitives; same error: the same mean distance from the surface.\n\n"
      "| depth | volumes | leaves | tests | pairs | left | triangles meet | effectiveness |\n"
      "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
      first.name, second.name);
  const Meeting meeting(first, second);
  const std::vector<LeafRow> rows = choose_leaves(meeting);
  for (const double depth : {0.01, 0.05, 0.2}) print_meeting(meeting, rows, depth);
}

// Copies of a cover beside each other: where does a tree win?
void print_brute_force(const Figure& figure) {
  fmt::print(
      "\n## Brute force or a tree\n\nCopies of the {} side by side, each with a neighbour that touches it. "
      "Processor "
      "time of one thread, the least of five.\n\n"
      "| primitives | pairs | brute force [µs] | tree [µs] | overlaps |\n| ---: | ---: | ---: | ---: | ---: "
      "|\n",
      figure.name);
  const MedialBounds bounds(figure.rest);
  MedialCover one;
  bounds.update(BoundKind::Affine, rest_nodes(figure.rest), one);
  const double step = compute_box(figure.rest.surface.points).sizes()[0];
  for (const int copies : {1, 2, 4, 8, 16, 32}) {
    MedialCover a;
    for (int k = 0; k < copies; ++k)
      for (MedialBalls balls : one.primitives) {
        for (Vec3& x : balls.x) x[0] += k * step;
        a.primitives.push_back(balls);
      }
    MedialCover b = a;
    for (MedialBalls& balls : b.primitives)
      for (Vec3& x : balls.x) x += Vec3(0.5 * step, 0.1 * step, 0);
    std::array<double, 2> least = {INFINITY, INFINITY};
    std::vector<PrimitiveOverlap> overlaps;
    for (const CullMethod method : {CullMethod::BruteForce, CullMethod::Tree}) {
      MedialCulling culling(method);
      for (int k = 0; k < 5; ++k) {
        const double start = processor_seconds();
        for (int repeat = 0; repeat < 10; ++repeat) culling.find(a, b, overlaps);
        double& kept = least[method == CullMethod::Tree ? 1 : 0];
        kept = std::min(kept, (processor_seconds() - start) / 10);
      }
    }
    fmt::print("| 2 × {} | {} | {:.0f} | {:.0f} | {} |\n", a.primitives.size(),
               a.primitives.size() * b.primitives.size(), 1e6 * least[0], 1e6 * least[1], overlaps.size());
    std::fflush(stdout);
  }
}

void run(size_t frames, const std::string& parts) {
  exec::set_thread_count(1);
  const auto has = [&](char part) { return parts.find(part) != std::string::npos; };
  if (has('c')) run_campaign(frames);
  if (parts.find_first_of("treb") == std::string::npos) return;
  const std::vector<Figure> figures = {{"cactus", prepare_example("cactus", 40)},
                                       {"figure", prepare_example("figure", 100)}};
  if (has('t')) print_tightness(figures);
  if (has('r')) print_representatives(figures[1]);
  if (has('e')) print_effectiveness(figures[0], figures[1]);
  if (has('b')) print_brute_force(figures[1]);
}

}  // namespace
}  // namespace marrow

int main(int argc, char** argv) {
  marrow::run(argc > 1 ? static_cast<size_t>(std::atoll(argv[1])) : 100000, argc > 2 ? argv[2] : "ctreb");
  return 0;
}
