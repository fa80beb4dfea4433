// Certificates from the store of earlier results (preprocess/store.h), looked up by the content of the mesh
// and the options.
#pragma once

#include "preprocess/certificates/certificates.h"

namespace marrow {

// Whether they are there.
bool has_stored_certificates(const Points& rest, const std::vector<Triangle>& triangles,
                             const CertificateOptions& options);

// As compute_certificates; where the store cannot be used, everything is computed. is_stored: whether the
// result was found there.
Certificates compute_certificates_stored(const Points& rest, const std::vector<Triangle>& triangles,
                                         const CertificateOptions& options, bool& is_stored);

}  // namespace marrow
