#include "sim/projective/contact_inverse.h"

#include <utility>

#include "core/trace.h"
#include "exec/parallel.h"
#include "linalg/dense_inverse.h"

namespace marrow {

ContactInverse::ContactInverse(std::vector<FactorOfNodes> groups, const std::vector<Index>& place_of,
                               const std::vector<Index>& group_of_node)
    : groups_(std::move(groups)), place_of_(place_of), group_of_node_(group_of_node) {}

bool ContactInverse::set_rows(const std::vector<ContactRow>& rows) {
  const trace::Scope scope("projective.rows");
  parts_.clear();
  directions_.clear();
  for (size_t r = 0; r < rows.size(); ++r) {
    directions_.push_back(rows[r].direction);
    const size_t first = parts_.size();
    for (size_t k = 0; k < rows[r].nodes.size(); ++k) {
      const Index node = rows[r].nodes[k];
      if (place_of_[node] == kNone) continue;
      size_t at = first;
      while (at < parts_.size() && parts_[at].group != group_of_node_[node]) ++at;
      if (at == parts_.size()) parts_.push_back({{}, {}, {}, group_of_node_[node], r});
      parts_[at].places.push_back(place_of_[node]);
      parts_[at].weights.push_back(rows[r].weights[k]);
    }
  }
  // A sparse factor is asked one after the other, and uses one core.
  const auto is_dense = [&](const Part& part) { return groups_[part.group].factor->is_dense(); };
  exec::parallel_for(
      "contact_inverse.columns", parts_.size(),
      [&](size_t i) {
        Part& part = parts_[i];
        if (!is_dense(part)) return;
        const MatX& inverse = groups_[part.group].factor->inverse();
        part.column = VecX::Zero(inverse.rows());
        for (size_t k = 0; k < part.places.size(); ++k) {
          part.column += part.weights[k] * inverse.col(part.places[k]);
        }
      },
      1);
  for (size_t i = 0; i < parts_.size(); i += 3) {
    // Three columns are three coordinates.
    for (size_t j = i; j < i + 3 && j < parts_.size(); ++j) {
      Part& part = parts_[j];
      if (is_dense(part)) continue;
      VecX b = VecX::Zero(3 * groups_[part.group].factor->size());
      for (size_t k = 0; k < part.places.size(); ++k) b[3 * part.places[k]] += part.weights[k];
      groups_[part.group].factor->solve(b, solution_);
      part.column = Eigen::Map<const Eigen::Matrix3Xd>(solution_.data(), 3, solution_.size() / 3).row(0);
    }
  }
  const auto count = static_cast<Index>(rows.size());
  capacity_ = MatX::Identity(count, count);
  exec::parallel_for(
      "contact_inverse.capacity", parts_.size(),
      [&](size_t i) {
        // Only entries of this part's row are written; two parts of a row are of different groups, but the
        // same row: they are summed one after the other by the first of them.
        if (i > 0 && parts_[i - 1].row == parts_[i].row) return;
        for (size_t own = i; own < parts_.size() && parts_[own].row == parts_[i].row; ++own) {
          for (const Part& other : parts_) {
            if (other.group != parts_[own].group) continue;
            double sum = 0;
            for (size_t k = 0; k < parts_[own].places.size(); ++k) {
              sum += parts_[own].weights[k] * other.column[parts_[own].places[k]];
            }
            capacity_(static_cast<Index>(other.row), static_cast<Index>(parts_[i].row)) +=
                directions_[parts_[i].row].dot(directions_[other.row]) * sum;
          }
        }
      },
      1);
  return invert_positive_definite(capacity_);
}

void ContactInverse::apply_plain(const VecX& g, VecX& p) {
  p.setZero(g.size());
  for (const FactorOfNodes& group : groups_) {
    const std::vector<Index>& nodes = *group.nodes;
    rhs_.resize(3 * static_cast<Index>(nodes.size()));
    for (size_t i = 0; i < nodes.size(); ++i) {
      rhs_.segment<3>(3 * static_cast<Index>(i)) = g.segment<3>(3 * nodes[i]);
    }
    group.factor->solve(rhs_, solution_);
    for (size_t i = 0; i < nodes.size(); ++i) {
      p.segment<3>(3 * nodes[i]) = solution_.segment<3>(3 * static_cast<Index>(i));
    }
  }
}

void ContactInverse::apply(const VecX& g, VecX& p) {
  apply_plain(g, p);
  if (directions_.empty()) return;
  VecX along = VecX::Zero(static_cast<Index>(directions_.size()));
  for (const Part& part : parts_) {
    const std::vector<Index>& nodes = *groups_[part.group].nodes;
    double sum = 0;
    for (size_t k = 0; k < part.places.size(); ++k) {
      sum += part.weights[k] * directions_[part.row].dot(p.segment<3>(3 * nodes[part.places[k]]));
    }
    along[static_cast<Index>(part.row)] += sum;
  }
  const VecX pulls = capacity_ * along;
  for (const Part& part : parts_) {
    const std::vector<Index>& nodes = *groups_[part.group].nodes;
    const Vec3 pull = pulls[static_cast<Index>(part.row)] * directions_[part.row];
    for (Index i = 0; i < part.column.size(); ++i) p.segment<3>(3 * nodes[i]) -= part.column[i] * pull;
  }
}

}  // namespace marrow
