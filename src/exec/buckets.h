// Sorts items into buckets by counting, in parallel: within a bucket they keep the order of their sources.
#pragma once

#include <algorithm>
#include <vector>

#include "core/types.h"
#include "exec/parallel.h"

namespace marrow::exec {

template <class Item>
struct Buckets {
  std::vector<Index> offsets;  // buckets + 1
  std::vector<Item> items;
};

namespace detail {
// Sources that one task looks at, at least; each task counts for every bucket. [speed only]
inline constexpr size_t kBucketSources = 256;
}  // namespace detail

// each(i, emit) calls emit(bucket, item) for what source i has; it is called twice for every i.
template <class Item, class Each>
void parallel_buckets(const char* name, size_t sources, size_t buckets, const Each& each,
                      Buckets<Item>& sorted) {
  const size_t chunks =
      std::clamp<size_t>(sources / std::max(detail::kBucketSources, buckets / 4), 1, 64);  // [speed only]
  const auto first_of = [&](size_t chunk) { return sources * chunk / chunks; };
  std::vector<Index> counts(chunks * buckets, 0);
  parallel_for(
      name, chunks,
      [&](size_t chunk) {
        Index* own = counts.data() + chunk * buckets;
        for (size_t i = first_of(chunk); i < first_of(chunk + 1); ++i) {
          each(i, [&](Index bucket, const Item&) { ++own[bucket]; });
        }
      },
      1);
  // Where each chunk's items of each bucket begin.
  sorted.offsets.assign(buckets + 1, 0);
  for (size_t b = 0; b < buckets; ++b) {
    Index next = sorted.offsets[b];
    for (size_t chunk = 0; chunk < chunks; ++chunk) {
      const Index count = counts[chunk * buckets + b];
      counts[chunk * buckets + b] = next;
      next += count;
    }
    sorted.offsets[b + 1] = next;
  }
  sorted.items.resize(static_cast<size_t>(sorted.offsets.back()));
  parallel_for(
      name, chunks,
      [&](size_t chunk) {
        Index* next = counts.data() + chunk * buckets;
        for (size_t i = first_of(chunk); i < first_of(chunk + 1); ++i) {
          each(i, [&](Index bucket, const Item& item) {
            sorted.items[static_cast<size_t>(next[bucket]++)] = item;
          });
        }
      },
      1);
}

}  // namespace marrow::exec
