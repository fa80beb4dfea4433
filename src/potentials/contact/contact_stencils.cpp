#include "potentials/contact/contact_stencils.h"

#include <algorithm>
#include <numeric>

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
  contacts_.resize(vertices.size());
  std::iota(contacts_.begin(), contacts_.end(), 0);
  offsets_ = {0};
  std::vector<Index> node_offsets = {0}, nodes;
  const auto close_stencil = [&](size_t last) {
    map.append_nodes(vertices[contacts_[last]], nodes);
    node_offsets.push_back(static_cast<Index>(nodes.size()));
    offsets_.push_back(static_cast<Index>(last) + 1);
  };
  if (map.is_identity()) {
    for (size_t k = 0; k < vertices.size(); ++k) close_stencil(k);
  } else {
    std::vector<Key> keys;
    for (size_t k = 0; k < vertices.size(); ++k) {
      keys.push_back(make_key(vertices[k], map, static_cast<Index>(k)));
    }
    std::stable_sort(keys.begin(), keys.end(),
                     [](const Key& a, const Key& b) { return a.groups < b.groups; });
    for (size_t k = 0; k < keys.size(); ++k) {
      contacts_[k] = keys[k].contact;
      if (k + 1 == keys.size() || keys[k].groups != keys[k + 1].groups) close_stencil(k);
    }
  }
  group.set_stencils(std::move(node_offsets), std::move(nodes), map.node_count());
}

}  // namespace marrow
