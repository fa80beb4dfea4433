#include "geometry/ccd.h"

namespace marrow {

CcdResult detect_collision(const CcdQuery& query, const CcdOptions& options) {
  switch (options.method) {
    case CcdMethod::Inclusion:
      return detect_by_inclusion(query, options);
    case CcdMethod::Additive:
      return detect_by_additive(query, options);
    case CcdMethod::Advancement:
      break;
  }
  return detect_by_advancement(query, options);
}

}  // namespace marrow
