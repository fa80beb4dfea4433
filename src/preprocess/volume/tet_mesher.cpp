#include "preprocess/volume/tet_mesher.h"

#include <fmt/format.h>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Mesh_complex_3_in_triangulation_3.h>
#include <CGAL/Mesh_criteria_3.h>
#include <CGAL/Mesh_triangulation_3.h>
#include <CGAL/Polyhedral_mesh_domain_with_features_3.h>
#include <CGAL/make_mesh_3.h>

#include <unordered_map>

#include "core/error.h"
#include "mesh/mesh_summary.h"
#include "mesh/point_box.h"
#include "mesh/surface.h"
#include "preprocess/volume/surface_samples.h"

namespace marrow {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Polyhedron = CGAL::Mesh_polyhedron_3<Kernel>::type;
using Domain = CGAL::Polyhedral_mesh_domain_with_features_3<Kernel>;
using Triangulation = CGAL::Mesh_triangulation_3<Domain>::type;
using Complex =
    CGAL::Mesh_complex_3_in_triangulation_3<Triangulation, Domain::Corner_index, Domain::Curve_index>;
using Criteria = CGAL::Mesh_criteria_3<Triangulation>;

constexpr double kThicknessPart = 0.125;  // the new surface is nearer to the given one, in mean thicknesses
constexpr double kLeastFilled = 0.9;      // of the solid, or the mesh is refused

class SurfaceBuilder : public CGAL::Modifier_base<Polyhedron::HalfedgeDS> {
 public:
  explicit SurfaceBuilder(const Mesh& surface) : surface_(surface) {}
  void operator()(Polyhedron::HalfedgeDS& structure) override {
    CGAL::Polyhedron_incremental_builder_3<Polyhedron::HalfedgeDS> builder(structure);
    builder.begin_surface(surface_.points.size(), surface_.triangles.size());
    for (const Vec3& p : surface_.points) builder.add_vertex(Kernel::Point_3(p[0], p[1], p[2]));
    for (const Triangle& t : surface_.triangles) {
      builder.begin_facet();
      for (const Index v : t) builder.add_vertex_to_facet(static_cast<size_t>(v));
      builder.end_facet();
    }
    builder.end_surface();
    has_failed = builder.error();
  }
  bool has_failed = false;

 private:
  const Mesh& surface_;
};

Mesh take_tets(const Complex& complex) {
  Mesh mesh;
  std::unordered_map<const void*, Index> numbers;
  for (auto cell = complex.cells_in_complex_begin(); cell != complex.cells_in_complex_end(); ++cell) {
    Tet tet;
    for (int i = 0; i < 4; ++i) {
      const auto vertex = cell->vertex(i);
      const auto [found, is_new] = numbers.emplace(&*vertex, static_cast<Index>(mesh.points.size()));
      if (is_new) {
        const auto& p = vertex->point();
        mesh.points.emplace_back(CGAL::to_double(p.x()), CGAL::to_double(p.y()), CGAL::to_double(p.z()));
      }
      tet[i] = found->second;
    }
    const Points& x = mesh.points;
    if (compute_tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) < 0) std::swap(tet[2], tet[3]);
    mesh.tets.push_back(tet);
  }
  mesh.triangles = extract_surface(mesh.tets);
  return mesh;
}

}  // namespace

Mesh mesh_solid(const Mesh& surface, const std::string& name, const TetMesherOptions& options) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError({name, 0, 0, {}}, problem,
                     "`marrow prepare tet --lattice` accepts any surface; or use a smaller --size.");
  };
  Polyhedron polyhedron;
  SurfaceBuilder builder(surface);
  polyhedron.delegate(builder);
  if (builder.has_failed) refuse("the surface is not a manifold: parts of it touch at a point or an edge");
  const double diagonal = compute_diagonal(surface.points);
  CGAL::get_default_random() = CGAL::Random(0);
  Domain domain(polyhedron);
  if (options.sharp_angle < 180) domain.detect_features(options.sharp_angle);
  namespace keys = CGAL::parameters;
  const double size = options.size * diagonal;
  const double volume = compute_enclosed_volume(surface.points, surface.triangles);
  const double thickness = 2 * volume / compute_surface_area(surface.points, surface.triangles);
  const double deviation = std::min(options.deviation * diagonal, kThicknessPart * thickness);
  const Criteria criteria(keys::edge_size = size, keys::facet_angle = 25, keys::facet_size = size,
                          keys::facet_distance = deviation, keys::cell_radius_edge_ratio = 2,
                          keys::cell_size = size);
  CGAL::Mesh_error_code error = CGAL::CGAL_MESH_3_NO_ERROR;
  const auto limits = keys::mesh_3_options(keys::maximal_number_of_vertices = options.most_points,
                                           keys::pointer_to_error_code = &error);
  Complex complex =
      CGAL::make_mesh_3<Complex>(domain, criteria, limits, keys::no_perturb(), keys::no_exude());
  if (error == CGAL::CGAL_MESH_3_MAXIMAL_NUMBER_OF_VERTICES_REACHED) {
    refuse(fmt::format("it needs more than {} points: parts of it are far thinner than the requested tets",
                       options.most_points));
  }
  CGAL::perturb_mesh_3(complex, domain, keys::time_limit = 20);
  CGAL::exude_mesh_3(complex, keys::time_limit = 20);
  Mesh mesh = take_tets(complex);
  if (mesh.tets.empty()) refuse("no tet fits in the surface");
  if (summarize(mesh).volume < kLeastFilled * volume) {
    refuse("parts of the solid are too thin for the requested tets and would stay empty");
  }
  return mesh;
}

}  // namespace marrow
