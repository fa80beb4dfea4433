// This file has the certificates that the contact solver is given, and its report of their use.
#pragma once

#include <memory>
#include <vector>

#include "core/options.h"
#include "core/types.h"

namespace marrow {

struct Certificates;

// How pairs within a body are searched for. All give the same results.
enum class SelfCollision {
  Auto,       // with certificates if they are likely to pay, as long as they do
  Certified,  // with certificates
  Plain       // without
};

template <>
struct EnumNames<SelfCollision> {
  static constexpr const char* names[] = {"auto", "certified", "plain"};
};

// A surface with certificates of CertifiedPairs::Simplices.
struct CertifiedSurface {
  std::shared_ptr<const Certificates> certificates;
  std::vector<Index> points;  // of the collision mesh, by vertex of the certified mesh
  bool is_forced = false;     // used even if it does not pay
};

// The use of certificates so far.
struct CullingReport {
  bool is_on = false;              // still used
  size_t triangles = 0;            // of surfaces with certificates
  size_t certified_triangles = 0;  // of those, in regions since the last search
  size_t regions = 0;
  size_t searches = 0;        // while they were used
  size_t renewed = 0;         // times that regions no longer held and were chosen again
  size_t plain_pairs = 0;     // of the last search made with and without regions
  size_t kept_pairs = 0;      // likewise, with regions
  double asking_seconds = 0;  // spent on certificates
  // Estimated: pairs that needed no test, faster searches, minus the cost of checks
  double saved_seconds = 0;

  // The fraction of pairs that regions left out, in the last search made with and without them.
  double culled_share() const {
    return plain_pairs == 0 ? 0 : 1 - static_cast<double>(kept_pairs) / static_cast<double>(plain_pairs);
  }
};

}  // namespace marrow
