// What the contact solver is told of certificates, and what it tells of their use.
#pragma once

#include <memory>
#include <vector>

#include "core/options.h"
#include "core/types.h"

namespace marrow {

struct Certificates;

// How pairs within a body are searched for. All give the same results.
enum class SelfCollision {
  Auto,       // with certificates where that is likely to pay, as long as it does
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
  bool is_forced = false;     // asked even where it does not pay
};

// How certificates are doing.
struct CullingReport {
  bool is_on = false;              // still asked
  size_t triangles = 0;            // of surfaces with certificates
  size_t certified_triangles = 0;  // of those, in regions since the last search
  size_t regions = 0;
  size_t searches = 0;        // while they were asked
  size_t renewed = 0;         // times that regions did not hold any more and were chosen anew
  size_t plain_pairs = 0;     // of the last search that was made both ways
  size_t kept_pairs = 0;      // likewise, with regions
  double asking_seconds = 0;  // spent on certificates
  double saved_seconds = 0;   // estimated: pairs that needed no look, faster searches, less what asking cost

  // Of the pairs, in the last search made both ways.
  double culled_share() const {
    return plain_pairs == 0 ? 0 : 1 - static_cast<double>(kept_pairs) / static_cast<double>(plain_pairs);
  }
};

}  // namespace marrow
