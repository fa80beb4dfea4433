// Is a mesh fit for use as a body? Every check throws an InputError that names the first few culprits and
// says what to do; name is the file or body in that error. Nothing is repaired.
#pragma once

#include <string>

#include "mesh/mesh.h"

namespace marrow {

// A tet counts as degenerate when its signed volume is at most this times its longest edge cubed.
inline constexpr double kDegenerateVolume = 1e-12;

// Any mesh: it has points, all coordinates and radii are finite, radii are not negative, indices are in
// range, no element names a vertex twice, no element is there twice (in any order of its vertices).
void check_mesh(const Mesh& mesh, const std::string& name);

// Tets that are inverted or flat, or more than two at a face.
void check_tets(const Mesh& mesh, const std::string& name);

// No face in more than two tets.
void check_tet_faces(const Mesh& mesh, const std::string& name);

// A mesh for a volumetric body: check_mesh, at least one tet, no inverted or degenerate tet, no point outside
// all tets (it would have no mass), no face in more than two tets.
void check_tet_mesh(const Mesh& mesh, const std::string& name);

// A mesh for a soft body of any parts: check_mesh, no inverted or degenerate tet, no face in more than two
// tets, no triangle without area (at most kDegenerateVolume times its longest edge squared), no edge without
// length.
void check_soft_mesh(const Mesh& mesh, const std::string& name);

// A mesh whose triangles bound a volume: check_mesh, every edge in exactly two triangles that run along it in
// opposite directions, enclosed volume positive.
void check_closed_surface(const Mesh& mesh, const std::string& name);

}  // namespace marrow
