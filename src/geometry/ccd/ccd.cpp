#include "geometry/ccd/ccd.h"

namespace marrow {
namespace {

// What double precision cannot tell from a contact is decided in twice the precision.
CcdResult detect_and_confirm(const CcdQuery& query, const CcdOptions& options) {
  CcdResult result = detect_by_inclusion(query, options);
  if (!result.is_hit || options.keep > 0 || result.iterations >= options.max_iterations) return result;
  const CcdResult confirmed = confirm_collision(query, options, result.toi);
  result.iterations += confirmed.iterations;
  if (!confirmed.is_hit) return {false, confirmed.toi, result.iterations};
  return result;
}

}  // namespace

CcdResult detect_collision(const CcdQuery& query, const CcdOptions& options) {
  switch (options.method) {
    case CcdMethod::Inclusion:
      return detect_and_confirm(query, options);
    case CcdMethod::Additive:
      return detect_by_additive(query, options);
    case CcdMethod::Advancement:
      break;
  }
  return detect_by_advancement(query, options);
}

}  // namespace marrow
