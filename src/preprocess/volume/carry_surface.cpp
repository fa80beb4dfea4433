#include "preprocess/volume/carry_surface.h"

#include <algorithm>

#include "core/error.h"
#include "mesh/mesh_summary.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

// A lattice tet has at least this part of the stiffness and mass of a full one: nodes that only tets with
// hardly anything in them hold would otherwise be a thousand times lighter than their neighbours, and the
// linear systems that much worse. The masses of all tets are then scaled to the solid's own.
// [safety net: twenty times within a node's reach]
constexpr double kLeastFill = 0.05;

// Leaves the tets that are kept, and their points.
void keep_tets(const std::vector<char>& is_kept, CarryingLattice& lattice) {
  std::vector<Index> tet_number(is_kept.size(), kNone);
  std::vector<Index> point_number(lattice.volume.points.size(), kNone);
  Mesh kept;
  std::vector<double> fills;
  for (size_t t = 0; t < is_kept.size(); ++t) {
    if (is_kept[t] == 0) continue;
    tet_number[t] = static_cast<Index>(kept.tets.size());
    Tet tet = lattice.volume.tets[t];
    for (Index& v : tet) {
      Index& number = point_number[static_cast<size_t>(v)];
      if (number == kNone) {
        number = static_cast<Index>(kept.points.size());
        kept.points.push_back(lattice.volume.points[static_cast<size_t>(v)]);
      }
      v = number;
    }
    kept.tets.push_back(tet);
    fills.push_back(lattice.fills[t]);
  }
  for (EmbeddedPoint& place : lattice.places) place.tet = tet_number[static_cast<size_t>(place.tet)];
  lattice.volume = std::move(kept);
  lattice.fills = std::move(fills);
}

}  // namespace

CarryingLattice build_carrying_lattice(const Mesh& surface, int cells, const std::string& name) {
  CarryingLattice carrying;
  const MeshSummary summary = summarize(surface);
  carrying.is_closed = summary.closed && summary.manifold && summary.oriented && summary.volume > 0;
  const TriangleTree tree(surface.points, surface.triangles);
  Lattice lattice = build_lattice(surface, tree, cells,
                                  carrying.is_closed ? LatticeSolid::ClosedInParts : LatticeSolid::Open);
  carrying.volume.points = lattice.mesh.points;
  carrying.volume.tets = lattice.mesh.tets;
  carrying.fills = lattice.fills;
  std::vector<char> is_kept(lattice.fills.size(), 0);
  for (size_t t = 0; t < is_kept.size(); ++t) is_kept[t] = lattice.fills[t] >= kLeastFill ? 1 : 0;
  for (const Vec3& x : surface.points) {
    const EmbeddedPoint place = lattice.locate(x);
    if (place.tet == kNone) throw InputError({name, 0, 0, {}}, "a point of the surface is in no tet", "");
    is_kept[static_cast<size_t>(place.tet)] = 1;
    carrying.places.push_back(place);
  }
  keep_tets(is_kept, carrying);
  for (double& fill : carrying.fills) fill = std::max(fill, kLeastFill);
  return carrying;
}

}  // namespace marrow
