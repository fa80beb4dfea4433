#include "potentials/contact/contact_stencils.h"

#include <algorithm>
#include <numeric>

#include "core/trace.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

// A contact, sorted by the groups of nodes that its vertices follow; each group counts once.
struct Key {
  std::array<Index, 4> groups = {kNone, kNone, kNone, kNone};  // ascending, each once
  Index contact = 0;
};

Key make_key(std::span<const Index> vertices, const NodeMap& map, Index contact) {
  Key key;
  key.contact = contact;
  int count = 0;
  for (const Index vertex : vertices) {
    const Index group = map.group_of(vertex);
    const auto end = key.groups.begin() + count;
    const auto at = std::lower_bound(key.groups.begin(), end, group);
    if (at != end && *at == group) continue;
    std::copy_backward(at, end, end + 1);
    *at = group;
    ++count;
  }
  return key;
}

}  // namespace

void ContactStencils::set(std::span<const std::span<const Index>> vertices, const NodeMap& map) {
  const trace::Scope scope("contact.set_stencils");
  contacts_.resize(vertices.size());
  std::iota(contacts_.begin(), contacts_.end(), 0);
  offsets_ = {0};
  if (map.is_identity()) {
    offsets_.resize(vertices.size() + 1);
    std::iota(offsets_.begin(), offsets_.end(), 0);
  } else {
    std::vector<Key> keys(vertices.size());
    exec::parallel_for("contact.keys", keys.size(),
                       [&](size_t k) { keys[k] = make_key(vertices[k], map, static_cast<Index>(k)); });
    exec::parallel_sort("contact.sort_stencils", keys,
                        [](const Key& a, const Key& b) { return a.groups < b.groups; });
    for (size_t k = 0; k < keys.size(); ++k) {
      contacts_[k] = keys[k].contact;
      if (k + 1 == keys.size() || keys[k].groups != keys[k + 1].groups)
        offsets_.push_back(static_cast<Index>(k) + 1);
    }
  }
  // Those of the last contact of a stencil, as of any other.
  const size_t count = offsets_.size() - 1;
  const auto points_of = [&](size_t s) { return vertices[contacts_[offsets_[s + 1] - 1]]; };
  std::vector<Index> node_offsets(count + 1, 0);
  exec::parallel_for("contact.stencil_nodes", count, [&](size_t s) {
    thread_local std::vector<Index> own;
    own.clear();
    map.append_nodes(points_of(s), own);
    node_offsets[s + 1] = static_cast<Index>(own.size());
  });
  std::partial_sum(node_offsets.begin(), node_offsets.end(), node_offsets.begin());
  std::vector<Index> nodes(static_cast<size_t>(node_offsets.back()));
  exec::parallel_for("contact.stencil_nodes", count, [&](size_t s) {
    thread_local std::vector<Index> own;
    own.clear();
    map.append_nodes(points_of(s), own);
    std::copy(own.begin(), own.end(), nodes.begin() + node_offsets[s]);
  });
  group.set_stencils(std::move(node_offsets), std::move(nodes), map.node_count());
}

}  // namespace marrow
