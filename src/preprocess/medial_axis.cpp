#include "preprocess/medial_axis.h"

#include <CGAL/Delaunay_triangulation_3.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangulation_cell_base_with_info_3.h>

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"
#include "geometry/surface.h"

namespace marrow {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using VertexBase = CGAL::Triangulation_vertex_base_3<Kernel>;
using CellBase = CGAL::Triangulation_cell_base_with_info_3<Index, Kernel>;
using Structure = CGAL::Triangulation_data_structure_3<VertexBase, CellBase>;
using Delaunay = CGAL::Delaunay_triangulation_3<Kernel, Structure>;
using Cell = Delaunay::Cell_handle;

Vec3 to_vec(const Kernel::Point_3& p) { return {p.x(), p.y(), p.z()}; }

// Relative to the first corner, to keep digits. Not finite for a flat cell.
Vec3 compute_circumcenter(const Cell& cell) {
  const Vec3 a = to_vec(cell->vertex(0)->point());
  const Vec3 b = to_vec(cell->vertex(1)->point()) - a, c = to_vec(cell->vertex(2)->point()) - a,
             d = to_vec(cell->vertex(3)->point()) - a;
  const Vec3 sum = b.squaredNorm() * c.cross(d) + c.squaredNorm() * d.cross(b) + d.squaredNorm() * b.cross(c);
  return a + sum / (2 * b.dot(c.cross(d)));
}

// The centres that lie inside, each with its distance to the surface; the cells get their numbers.
void collect_centers(Delaunay& delaunay, const TriangleTree& surface, Mesh& mesh) {
  std::vector<Cell> cells;
  cells.reserve(delaunay.number_of_finite_cells());
  for (auto cell = delaunay.finite_cells_begin(); cell != delaunay.finite_cells_end(); ++cell) {
    cells.push_back(cell);
  }
  for (auto cell = delaunay.all_cells_begin(); cell != delaunay.all_cells_end(); ++cell) {
    cell->info() = kNone;
  }
  Points centers(cells.size());
  std::vector<double> distances(cells.size());
  exec::parallel_for("medial.inside", cells.size(), [&](size_t i) {
    centers[i] = compute_circumcenter(cells[i]);
    distances[i] = 0;
    if (!centers[i].allFinite()) return;
    // The corners are on the surface, so the distance is not above the ball's radius.
    const double radius = (centers[i] - to_vec(cells[i]->vertex(0)->point())).norm();
    distances[i] = -surface.compute_signed_distance(centers[i], 1.001 * radius);
  });
  for (size_t i = 0; i < cells.size(); ++i) {
    if (!(distances[i] > 0) || !std::isfinite(distances[i])) continue;
    cells[i]->info() = static_cast<Index>(mesh.points.size());
    mesh.points.push_back(centers[i]);
    mesh.radii.push_back(distances[i]);
  }
}

// The polygon around a Delaunay edge; false if part of it is outside.
bool collect_ring(const Delaunay& delaunay, const Delaunay::Edge& edge, std::vector<Index>& ring) {
  ring.clear();
  const Delaunay::Cell_circulator start = delaunay.incident_cells(edge);
  Delaunay::Cell_circulator cell = start;
  do {
    if (cell->info() == kNone) return false;
    ring.push_back(cell->info());
  } while (++cell != start);
  if (ring.size() < 3) return false;
  // Where CGAL starts, and which way round it goes, depends on addresses in memory.
  std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
  if (ring[1] > ring.back()) std::reverse(ring.begin() + 1, ring.end());
  return true;
}

}  // namespace

Mesh build_medial_axis(const Points& samples, const TriangleTree& surface) {
  std::vector<Kernel::Point_3> points;
  points.reserve(samples.size());
  for (const Vec3& p : samples) points.emplace_back(p[0], p[1], p[2]);
  Delaunay delaunay(points.begin(), points.end());

  Mesh mesh;
  collect_centers(delaunay, surface, mesh);
  for (auto facet = delaunay.finite_facets_begin(); facet != delaunay.finite_facets_end(); ++facet) {
    const Index a = facet->first->info(), b = facet->first->neighbor(facet->second)->info();
    if (a != kNone && b != kNone) mesh.edges.push_back({std::min(a, b), std::max(a, b)});
  }
  std::vector<Index> ring;
  for (auto edge = delaunay.finite_edges_begin(); edge != delaunay.finite_edges_end(); ++edge) {
    if (!collect_ring(delaunay, *edge, ring)) continue;
    for (size_t i = 2; i < ring.size(); ++i) mesh.triangles.push_back({ring[0], ring[i - 1], ring[i]});
  }
  std::sort(mesh.triangles.begin(), mesh.triangles.end());
  // The diagonals of the fans are edges too.
  const std::vector<Edge> sides = unique_edges(mesh.triangles);
  mesh.edges.insert(mesh.edges.end(), sides.begin(), sides.end());
  std::sort(mesh.edges.begin(), mesh.edges.end());
  mesh.edges.erase(std::unique(mesh.edges.begin(), mesh.edges.end()), mesh.edges.end());
  return mesh;
}

}  // namespace marrow
