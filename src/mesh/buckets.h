// Counting sort of values by a small integer key: the linear-time core of surface, edge and duplicate
// searches.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/types.h"

namespace marrow {

// The values of every key, in the order in which they were given.
template <class Value>
struct Buckets {
  std::vector<size_t> starts;  // one per key, and the end
  std::vector<Value> values;

  size_t key_count() const { return starts.size() - 1; }
  std::span<Value> of(size_t key) { return {values.data() + starts[key], values.data() + starts[key + 1]}; }
  std::span<const Value> of(size_t key) const {
    return {values.data() + starts[key], values.data() + starts[key + 1]};
  }
};

// for_each_item(visit) calls visit(key, value) for every item, keys in [0, key_count); it is called twice and
// must do the same both times.
template <class Value, class ForEachItem>
Buckets<Value> fill_buckets(size_t key_count, const ForEachItem& for_each_item) {
  Buckets<Value> buckets;
  buckets.starts.assign(key_count + 1, 0);
  for_each_item([&](Index key, const Value&) { ++buckets.starts[static_cast<size_t>(key) + 1]; });
  for (size_t k = 0; k < key_count; ++k) buckets.starts[k + 1] += buckets.starts[k];
  buckets.values.resize(buckets.starts[key_count]);
  std::vector<size_t> next(buckets.starts.begin(), buckets.starts.end() - 1);
  for_each_item(
      [&](Index key, const Value& value) { buckets.values[next[static_cast<size_t>(key)]++] = value; });
  return buckets;
}

}  // namespace marrow
