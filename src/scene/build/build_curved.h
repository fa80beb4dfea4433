// Soft bodies of curved tets: read from files of order 1 to 4, or straight tets raised.
//
// The basis of order p must represent the rest shape of order q, or rotations would strain the body: p ≥ q.
// For p < q the rest shape is replaced by its interpolant of order p (docs/models/curved.md).
#pragma once

#include <optional>

#include "kinematics/elements/curved_elements.h"
#include "mesh/io/curved_file.h"
#include "scene/build/load_mesh.h"

namespace marrow {

// The most triangles along an edge of a face.
inline constexpr int kMostSurfaceCells = 64;

// The curved tets of a file as the body uses them, checked, in the coordinates of the file; none if it uses
// straight ones. Then file.mesh is what it uses: the interpolant of order 1, or for bodies that are not soft
// the boundary cut into triangles. Throws InputError.
std::optional<CurvedMesh> take_curved(const BodyDescription& body, const BodyPlace& place,
                                      const MeshCare& care, CurvedFile& file);

CurvedMesh repeat_curved(const RepeatDescription& repeat, const CurvedMesh& mesh);

// Into how many triangles the edges of faces are cut, at most 64. Throws InputError if these do not do.
int choose_cells(const BodyDescription& body, const BodyPlace& place, const CurvedMesh& volume);

// The boundary cut into cells² triangles per face.
Mesh cut_surface(const CurvedMesh& mesh, int cells);

// Throws InputError if the body says how its faces are cut, but has straight tets.
void check_uncut(const BodyDescription& body, const BodyPlace& place);

// Appends the body; returns the initial node positions. Throws InputError.
Points add_curved(const std::string& name, const BodyDescription& description, const BodyPlace& place,
                  CurvedMesh volume, bool is_straight, Index material, const MeshCare& care, Model& model);

}  // namespace marrow
