// Certificates in a file, .cert. Little-endian; what follows from mesh and hierarchy is not stored but
// rebuilt.
//
//   8 bytes   "MRWCERT\n"
//   u32       version, 1
//   u64       fingerprint of the mesh: FNV-1a of its coordinates (f64) and triangles (i32)
//   i32 i32 i32 f64 f64 f64    leaf size, largest patch, kind of pairs, clearance, affine weight, thin
//   i32       triangles n; n × i32: their order
//   i32       nodes m; m × (i32 first, i32 last, i32 left, i32 right, i32 level, i32 is connected)
//   m × f32   limits of √E of nodes: 0 none, −1 not computed yet
//   i32       pairs p; p × f32: limits of pairs
//   i32       planes q; q × (i32 pair, 3 × f32 normal)
//   u64       FNV-1a of all before it
//
// A file that is short, damaged, of another kind or version, or of another mesh is an InputError that says
// so.
#pragma once

#include <string>
#include <string_view>

#include "geometry/certificates/certificates.h"

namespace marrow {

std::uint64_t hash_mesh(const Points& rest, const std::vector<Triangle>& triangles);

std::string format_certificates(const Certificates& certificates, std::uint64_t mesh_hash);

// name stands for the file in errors. rest, triangles: of the mesh the certificates were computed for.
Certificates parse_certificates(std::string_view bytes, const std::string& name, const Points& rest,
                                const std::vector<Triangle>& triangles);

// As parse_certificates; also an InputError if some certificates are not computed yet.
Certificates read_certificates(const std::string& path, const Points& rest,
                               const std::vector<Triangle>& triangles);

bool is_complete(const Certificates& certificates);

}  // namespace marrow
