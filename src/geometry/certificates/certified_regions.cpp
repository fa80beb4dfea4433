#include "geometry/certificates/certified_regions.h"

#include "core/macros.h"
#include "geometry/certificates/matrix_norm.h"

namespace marrow {
namespace {

// Patches are taken with this much of the limits, so that they hold for the ways that follow.
constexpr double kRoom = 0.8;

// One that did not hold is not chosen for so many times.
constexpr int kRest = 10;

constexpr size_t kInstants = 3;

}  // namespace

CertifiedRegions::CertifiedRegions(const Certificates& certificates, double distance)
    : certificates_(certificates),
      distance_(distance),
      shapes_(certificates),
      rests_until_(certificates.tree.nodes.size(), 0),
      instants_(kInstants, Instant{{}, PatchInstant(certificates.tree, certificates.options.max_triangles)}) {
  MARROW_ASSERT(certificates.options.pairs == CertifiedPairs::Simplices);
}

void CertifiedRegions::choose(const Points& x0, const Points& x1) {
  const Ends ends = find_ends(x0, x1);
  nodes_.clear();
  ++choices_;
  std::vector<Index> open = {0};
  while (!open.empty()) {
    const Index n = open.back();
    open.pop_back();
    const PatchNode& node = certificates_.tree.node(n);
    if (rests_until_[static_cast<size_t>(n)] <= choices_ && is_certified(n, ends, kRoom)) {
      nodes_.push_back(n);
    } else if (!node.is_leaf()) {
      open.push_back(node.right);
      open.push_back(node.left);
    }
  }
}

bool CertifiedRegions::holds(const Points& x0, const Points& x1) {
  if (nodes_.empty()) return true;
  const Ends ends = find_ends(x0, x1);
  bool is_held = true;
  for (const Index n : nodes_) {
    if (is_certified(n, ends, 1)) continue;
    rests_until_[static_cast<size_t>(n)] = choices_ + kRest;
    is_held = false;
  }
  return is_held;
}

CertifiedRegions::Ends CertifiedRegions::find_ends(const Points& x0, const Points& x1) {
  const size_t start = find_instant(x0, instants_.size());
  return {instants_[start].sums, instants_[find_instant(x1, start)].sums};
}

// The instant of these points: one that is known, or else the oldest, but not the one to be kept.
size_t CertifiedRegions::find_instant(const Points& x, size_t kept) {
  for (size_t k = 0; k < instants_.size(); ++k) {
    if (instants_[k].x == x) return k;
  }
  do {
    next_ = (next_ + 1) % instants_.size();
  } while (next_ == kept);
  instants_[next_].x = x;
  instants_[next_].sums.update(instants_[next_].x);
  return next_;
}

bool CertifiedRegions::is_certified(Index node, const Ends& ends, double room) const {
  const PatchShape* shape = shapes_.of_node(node);
  if (shape == nullptr) return false;
  const auto& [a, b] = ends;
  Mat3 A;
  const double bound = &a == &b ? bound_patch_energy(*shape, a.of(node), a.size(), &A)
                                : bound_patch_motion(*shape, a.of(node), a.size(), b.of(node), b.size(), &A);
  return bound < room * shape->limit &&
         bound_spectral_norm(A) * distance_ <= room * certificates_.options.clearance;
}

}  // namespace marrow
