// Computing certificates while a person watches: what prepare certificates and selfcollide share.
#pragma once

#include <string>

#include "mesh/mesh.h"
#include "preprocess/certificates/certificates.h"

namespace marrow {

// Says clearly what keeps a mesh from having certificates: no triangles, a triangle that names a vertex
// twice, a coordinate that is not finite.
void check_triangle_mesh(const Mesh& mesh, const std::string& path);

struct CertificateWork {
  std::string part_file;  // where to keep what is done until all is; empty: nowhere
  bool is_quiet = false;  // no progress
};

struct CertificateResult {
  Certificates certificates;
  PrepareReport report;
  double split_seconds = 0;
  size_t resumed = 0;  // patches that an earlier run had done
};

// Goes on from the part file if there is one of the same mesh and options. Ctrl-C ends it early, with the
// part file up to date and the report incomplete.
CertificateResult compute_certificates(const Mesh& mesh, const CertificateOptions& options,
                                       const CertificateWork& work);

}  // namespace marrow
