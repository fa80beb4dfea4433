// Parallel loops, reductions and sorts whose results do not depend on the number of threads.
//
// Work is cut into chunks of a fixed size, never by the number of threads; partial results are combined in
// chunk order. So the same input gives the same bits on one thread and on many. Every loop has a name, which
// the trace shows (core/trace.h). Bodies must not throw.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace marrow::exec {

// The number of threads loops may use from now on; 0 means all of the machine's.
void set_thread_count(int count);
int thread_count();

namespace detail {

using RangeBody = void (*)(const void* context, size_t begin, size_t end);

// Calls body on the chunks [0, grain), [grain, 2·grain), … of [0, count) in any order, on any threads.
void run_chunks(const char* name, size_t count, size_t grain, RangeBody body, const void* context);

template <class Body>
void for_each_range(const char* name, size_t count, size_t grain, const Body& body) {
  run_chunks(
      name, count, grain,
      [](const void* context, size_t begin, size_t end) { (*static_cast<const Body*>(context))(begin, end); },
      &body);
}

inline constexpr size_t kReduceChunk = 1024;
inline constexpr size_t kSortChunk = 16384;

}  // namespace detail

// Calls body(i) for every i in [0, count). grain: the least number of calls worth a task.
template <class Body>
void parallel_for(const char* name, size_t count, const Body& body, size_t grain = 256) {
  detail::for_each_range(name, count, grain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) body(i);
  });
}

// combine(… combine(identity, map(0)) …, map(count−1)), with chunks combined left to right.
template <class T, class Map, class Combine>
T parallel_reduce(const char* name, size_t count, const T& identity, const Map& map, const Combine& combine) {
  const size_t chunks = (count + detail::kReduceChunk - 1) / detail::kReduceChunk;
  std::vector<T> partial(chunks, identity);
  detail::for_each_range(name, chunks, 1, [&](size_t begin, size_t end) {
    for (size_t chunk = begin; chunk < end; ++chunk) {
      const size_t last = std::min(count, (chunk + 1) * detail::kReduceChunk);
      T sum = identity;
      for (size_t i = chunk * detail::kReduceChunk; i < last; ++i) sum = combine(sum, map(i));
      partial[chunk] = sum;
    }
  });
  T total = identity;
  for (const T& part : partial) total = combine(total, part);
  return total;
}

template <class Map>
double parallel_sum(const char* name, size_t count, const Map& map) {
  return parallel_reduce(name, count, 0.0, map, [](double a, double b) { return a + b; });
}

template <class Map>
double parallel_max(const char* name, size_t count, double identity, const Map& map) {
  return parallel_reduce(name, count, identity, map, [](double a, double b) { return std::max(a, b); });
}

template <class Map>
double parallel_min(const char* name, size_t count, double identity, const Map& map) {
  return parallel_reduce(name, count, identity, map, [](double a, double b) { return std::min(a, b); });
}

// Stable merge sort: equal elements keep their order.
template <class T, class Less>
void parallel_sort(const char* name, std::vector<T>& items, const Less& less) {
  const size_t count = items.size();
  detail::for_each_range(name, count, detail::kSortChunk, [&](size_t begin, size_t end) {
    std::stable_sort(items.begin() + static_cast<std::ptrdiff_t>(begin),
                     items.begin() + static_cast<std::ptrdiff_t>(end), less);
  });
  // Merge runs of doubling width, back and forth between two buffers.
  std::vector<T> other(count > detail::kSortChunk ? count : 0);
  for (size_t width = detail::kSortChunk; width < count; width *= 2) {
    const size_t merges = (count + 2 * width - 1) / (2 * width);
    detail::for_each_range(name, merges, 1, [&](size_t begin, size_t end) {
      for (size_t m = begin; m < end; ++m) {
        const auto at = [&](size_t i) {
          return items.begin() + static_cast<std::ptrdiff_t>(std::min(i, count));
        };
        const size_t start = 2 * width * m;
        std::merge(at(start), at(start + width), at(start + width), at(start + 2 * width),
                   other.begin() + static_cast<std::ptrdiff_t>(start), less);
      }
    });
    items.swap(other);
  }
}

}  // namespace marrow::exec
