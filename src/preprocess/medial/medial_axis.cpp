#include "preprocess/medial/medial_axis.h"

#include <CGAL/Delaunay_triangulation_3.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangulation_cell_base_with_info_3.h>
#include <CGAL/Triangulation_vertex_base_with_info_3.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "exec/parallel.h"
#include "mesh/point_box.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using VertexBase = CGAL::Triangulation_vertex_base_with_info_3<Index, Kernel>;
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

struct Ball {
  Vec3 center = Vec3::Zero();
  double radius = 0;  // not above 0: it is not inside
};

// The pairs among a cell's corners.
struct CellPairs {
  Vec3 middle = Vec3::Zero();  // of their balls
  double thickness = 0;        // the largest distance of partners; 0: there are none
  double size = 0;             // the longest edge of the cell
};

CellPairs find_pairs(const Cell& cell, const PairedSamples& samples) {
  CellPairs pairs;
  int count = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const double edge = (to_vec(cell->vertex(i)->point()) - to_vec(cell->vertex(j)->point())).norm();
      pairs.size = std::max(pairs.size, edge);
      if (samples.partners[cell->vertex(i)->info()] != cell->vertex(j)->info()) continue;
      pairs.middle += samples.centers[cell->vertex(i)->info()];
      pairs.thickness = std::max(pairs.thickness, edge);
      ++count;
    }
  }
  pairs.middle /= std::max(count, 1);
  return pairs;
}

// The ball that stands for a cell. box: of the surface; what lies outside is not looked up, since far points
// are slow.
Ball find_ball(const Cell& cell, const PairedSamples& samples, const TriangleTree& surface,
               const Eigen::AlignedBox3d& box) {
  const Vec3 center = compute_circumcenter(cell);
  const CellPairs pairs = find_pairs(cell, samples);
  const bool has_pair = pairs.thickness > 0;
  if (box.contains(center) && (!has_pair || (center - pairs.middle).norm() <= pairs.size)) {
    // The corners are on the surface, so the distance is not above the ball's radius.
    const double reach = 1.001 * (center - to_vec(cell->vertex(0)->point())).norm();
    const double depth = -surface.compute_signed_distance(center, reach);
    if (depth > 0 && std::isfinite(depth)) return {center, depth};
  }
  if (!has_pair) return {};
  const double depth = -surface.compute_signed_distance(pairs.middle, pairs.size);
  return {pairs.middle, std::max(depth, 0.1 * pairs.thickness)};
}

// The balls of the cells that lie inside; these cells get their numbers.
void collect_centers(Delaunay& delaunay, const PairedSamples& samples, const TriangleTree& surface,
                     Mesh& mesh) {
  std::vector<Cell> cells;
  cells.reserve(delaunay.number_of_finite_cells());
  for (auto cell = delaunay.finite_cells_begin(); cell != delaunay.finite_cells_end(); ++cell) {
    cells.push_back(cell);
  }
  for (auto cell = delaunay.all_cells_begin(); cell != delaunay.all_cells_end(); ++cell) {
    cell->info() = kNone;
  }
  const Eigen::AlignedBox3d box = compute_box(samples.points);
  std::vector<Ball> balls(cells.size());
  exec::parallel_for("medial.inside", cells.size(),
                     [&](size_t i) { balls[i] = find_ball(cells[i], samples, surface, box); });
  for (size_t i = 0; i < cells.size(); ++i) {
    if (!(balls[i].radius > 0)) continue;
    cells[i]->info() = static_cast<Index>(mesh.points.size());
    mesh.points.push_back(balls[i].center);
    mesh.radii.push_back(balls[i].radius);
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

Mesh build_medial_axis(const PairedSamples& samples, const TriangleTree& surface) {
  std::vector<std::pair<Kernel::Point_3, Index>> points;
  points.reserve(samples.points.size());
  for (const Vec3& p : samples.points) {
    points.emplace_back(Kernel::Point_3(p[0], p[1], p[2]), static_cast<Index>(points.size()));
  }
  Delaunay delaunay(points.begin(), points.end());

  Mesh mesh;
  collect_centers(delaunay, samples, surface, mesh);
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
