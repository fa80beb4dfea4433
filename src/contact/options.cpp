#include "contact/options.h"

#include <algorithm>
#include <cmath>

namespace marrow {

double ContactModel::friction_between(Index a, Index b) const {
  const auto found = pair_friction.find({std::min(a, b), std::max(a, b)});
  if (found != pair_friction.end()) return found->second;
  const auto own = [&](Index body) {
    const auto k = static_cast<size_t>(body);
    return k < body_friction.size() ? body_friction[k] : std::nullopt;
  };
  const std::optional<double> mu_a = own(a), mu_b = own(b);
  if (mu_a && mu_b) return std::sqrt(*mu_a * *mu_b);
  if (mu_a || mu_b) return mu_a ? *mu_a : *mu_b;
  return friction;
}

bool ContactModel::has_friction() const {
  const auto count = static_cast<Index>(body_friction.size());
  for (Index a = 0; a < count; ++a) {
    for (Index b = a; b < count; ++b) {
      if (friction_between(a, b) > 0) return true;
    }
  }
  return false;
}

}  // namespace marrow
