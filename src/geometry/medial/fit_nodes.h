// The nodes that bring a surface nearest to given positions, for frames of which only the surface is known:
//
//   min Σ |X + W (n − N) − y|² + λ Σ |n − T(N)|²
//
// T is the affine map that brings the rest surface nearest to y. λ is far below the weights of the surface,
// so that only what no point shows (a handle inside) follows T.
#pragma once

#include <memory>

#include "geometry/medial/medial_rest.h"

namespace marrow {

class NodeFit {
 public:
  // rest must outlive this. Throws std::runtime_error if the system cannot be factorised (out of memory).
  explicit NodeFit(const MedialRest& rest);
  ~NodeFit();
  NodeFit(NodeFit&&) noexcept;

  VecX fit(const Points& surface) const;

 private:
  struct Factor;

  const MedialRest& rest_;
  std::unique_ptr<Factor> factor_;
};

}  // namespace marrow
