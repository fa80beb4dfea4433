// Fields from one mesh to another by the L² projection: of all linear fields on the new mesh, the one whose
// difference from the old field has the smallest integral square.
//
//   M v = A u,    Mᵢⱼ = ∫ φᵢ φⱼ (new, new),    Aᵢⱼ = ∫ φᵢ φⱼ (new, old)
//
// A is integrated exactly over the common refinement of both meshes (overlay.h). If both cover the same
// domain, integrals and first moments are kept, linear fields are reproduced, and ∫ |v|² is at most ∫ |u|².
// Values of cells are averaged by volume, which keeps their integral.
//
// Where the new mesh reaches beyond the old one, the old field goes on with its value at the closest point.
#pragma once

#include "core/types.h"
#include "mesh/mesh.h"

namespace marrow {

struct TransferFields {
  MatX nodal;  // a row per point
  MatX cells;  // a row per tet; per triangle if the mesh has no tets
};

struct TransferReport {
  int dimension = 3;
  double old_volume = 0, new_volume = 0;   // areas in two dimensions
  double overlap = 0;                      // the volume that both cover
  size_t pair_count = 0, piece_count = 0;  // overlapping simplices; simplices of the common refinement
  Index extended_points = 0;               // points of the new mesh outside the old one that took part
  int iterations = 0;                      // of the mass matrix's solve
  VecX old_integrals, new_integrals;       // of the nodal fields' components, then of the cells'
};

struct Transferred {
  TransferFields fields;
  TransferReport report;
};

// Both meshes have tets, or both have triangles in the plane z = 0 and no tets; positive volumes are expected
// of neither (a mesh may be flipped), but none is 0. Fields have as many rows as `from` has points and cells.
Transferred transfer_fields(const Mesh& from, const Mesh& to, const TransferFields& fields);

}  // namespace marrow
