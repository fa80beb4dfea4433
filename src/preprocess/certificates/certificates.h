// Computes the certificates of a mesh: hierarchy, certificates of patches and of pairs, separating planes.
//
// Patches are independent of each other; they are computed in batches, the largest first, each batch on all
// threads. Between batches someone may look, keep what is done, or stop; what was kept is taken up again.
#pragma once

#include <functional>

#include "geometry/certificates/certificates.h"

namespace marrow {

struct PrepareReport {
  size_t intra_count = 0;  // certificates of nodes
  size_t inter_count = 0;  // of pairs
  size_t node_count = 0;
  double cover_ratio = 0;  // certificates of nodes over nodes
  size_t plane_count = 0;
  double split_seconds = 0;
  double green_seconds = 0;  // of all threads together, as the next two
  double pair_seconds = 0;
  double plane_seconds = 0;
  double wall_seconds = 0;
  bool is_complete = false;
};

// Marks a limit that is still to be computed.
inline constexpr float kLimitUnknown = -1;

struct PrepareProgress {
  size_t done = 0;  // patches
  size_t total = 0;
  double work_done = 0;  // in [0, 1]
  const Certificates& so_far;
};
// False: stop here.
using PrepareWatch = std::function<bool(const PrepareProgress&)>;

// The hierarchy, with all limits unknown. The triangles name no vertex twice.
Certificates begin_certificates(const Points& rest, const std::vector<Triangle>& triangles,
                                const CertificateOptions& options);

// Computes what is unknown.
PrepareReport complete_certificates(Certificates& certificates, const PrepareWatch& watch = {});

// Both.
Certificates compute_certificates(const Points& rest, const std::vector<Triangle>& triangles,
                                  const CertificateOptions& options);

}  // namespace marrow
