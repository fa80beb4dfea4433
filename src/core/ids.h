// Typed ids: a body's index cannot be passed where a material's is wanted.
#pragma once

#include <compare>

#include "core/types.h"

namespace marrow {

template <class Tag>
struct Id {
  Index value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(Index index) : value(index) {}
  constexpr bool is_valid() const { return value != kNone; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using BodyId = Id<struct BodyTag>;
using MaterialId = Id<struct MaterialTag>;

}  // namespace marrow
