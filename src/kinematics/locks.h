// Locks keep components of unknowns at 0: the motions that a scene does not allow a body.
//
// A locked component's gradient is dropped, and so are its row and column of the Hessian but for the
// diagonal, so that the matrix stays positive and the component of every direction is 0. If two rotations of
// a rigid body are locked, it turns exactly about the third axis of the world. If one rotation is locked, no
// Newton iteration turns the body about that axis.
#pragma once

#include "linalg/block_matrix.h"

namespace marrow {

class Locks {
 public:
  bool is_empty() const { return locked_.empty(); }
  void add(Index unknown, int component) { locked_.push_back({unknown, component}); }

  void clear_gradient(VecX& gradient) const;
  void clear_hessian(BlockMatrix& hessian);

 private:
  struct Locked {
    Index unknown;
    int component;
  };
  // A row or a column of a block.
  struct Line {
    Index block;
    int component;
    bool is_row;
    bool is_diagonal;  // of the matrix: the component's own value stays
  };

  void list_lines(const BlockPattern& pattern);

  std::vector<Locked> locked_;
  std::uint64_t version_ = 0;  // of the pattern the lines are for
  std::vector<Line> lines_;
};

}  // namespace marrow
