#include "kinematics/locks.h"

#include <array>

namespace marrow {

void Locks::clear_gradient(VecX& gradient) const {
  for (const Locked& locked : locked_) gradient[3 * locked.unknown + locked.component] = 0;
}

void Locks::list_lines(const BlockPattern& pattern) {
  std::vector<std::array<bool, 3>> is_locked(static_cast<size_t>(pattern.node_count()),
                                             {false, false, false});
  for (const Locked& locked : locked_)
    is_locked[locked.unknown][static_cast<size_t>(locked.component)] = true;
  lines_.clear();
  for (Index j = 0; j < pattern.node_count(); ++j) {
    for (Index k = pattern.column_offsets[j]; k < pattern.column_offsets[j + 1]; ++k) {
      const Index i = pattern.rows[k];
      for (int c = 0; c < 3; ++c) {
        if (is_locked[i][static_cast<size_t>(c)]) lines_.push_back({k, c, true, i == j});
        if (is_locked[j][static_cast<size_t>(c)]) lines_.push_back({k, c, false, i == j});
      }
    }
  }
  version_ = pattern.version;
}

void Locks::clear_hessian(BlockMatrix& hessian) {
  if (locked_.empty()) return;
  if (version_ != hessian.pattern.version) list_lines(hessian.pattern);
  for (const Line& line : lines_) {
    Mat3& block = hessian.blocks[line.block];
    const double own = block(line.component, line.component);
    if (line.is_row) {
      block.row(line.component).setZero();
    } else {
      block.col(line.component).setZero();
    }
    if (line.is_diagonal) block(line.component, line.component) = own > 0 ? own : 1;
  }
}

}  // namespace marrow
