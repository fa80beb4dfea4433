#include "preprocess/certificates/certificate_store.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/file.h"
#include "geometry/certificates/certificate_file.h"
#include "preprocess/store.h"

namespace marrow {
namespace {

// Raised whenever preparation gives other results.
constexpr int kPreparationVersion = 1;

std::string find_path(const std::string& store, const Points& rest, const std::vector<Triangle>& triangles,
                      const CertificateOptions& o) {
  const std::string options =
      fmt::format("{} {} {} {} {} {} {}", kPreparationVersion, o.leaf_size, o.max_triangles,
                  static_cast<int>(o.pairs), o.clearance, o.energy.affine_weight, o.energy.thin);
  return fmt::format("{}/{:016x}.cert", store, hash_bytes(options, hash_mesh(rest, triangles)));
}

}  // namespace

bool has_stored_certificates(const Points& rest, const std::vector<Triangle>& triangles,
                             const CertificateOptions& options) {
  const std::string store = find_store();
  return !store.empty() && is_file(find_path(store, rest, triangles, options));
}

Certificates compute_certificates_stored(const Points& rest, const std::vector<Triangle>& triangles,
                                         const CertificateOptions& options, bool& is_stored) {
  is_stored = false;
  const std::string store = find_store();
  const std::string path = find_path(store, rest, triangles, options);
  if (!store.empty() && is_file(path)) {
    try {
      Certificates certificates = read_certificates(path, rest, triangles);
      is_stored = true;
      return certificates;
    } catch (const InputError&) {
      // Damaged or old: made again below.
    }
  }
  Certificates certificates = compute_certificates(rest, triangles, options);
  if (!store.empty()) {
    keep_in_store(store, path, format_certificates(certificates, hash_mesh(rest, triangles)));
  }
  return certificates;
}

}  // namespace marrow
