// Parallel loops, reductions, sorts and forests whose results do not depend on the number of threads.
//
// Bodies are called once for every index, on any thread; partial results are combined in chunks of a fixed
// size, in their order. So the same input gives the same bits on one thread and on many. How many calls make
// a task follows from what earlier calls of the same loop took, which changes no result. Every loop has a
// name, which the trace shows (core/trace.h). Bodies must not throw. A loop within a body of another one is
// allowed.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include "core/types.h"

namespace marrow::exec {

// The number of threads loops may use from now on; 0 means all of the machine's. Not while loops run.
void set_thread_count(int count);
int thread_count();

// While one lives, the loops of this thread run on it alone: for work beside the main one.
class OneThreadScope {
 public:
  OneThreadScope();
  ~OneThreadScope();
  OneThreadScope(const OneThreadScope&) = delete;
  OneThreadScope& operator=(const OneThreadScope&) = delete;

 private:
  bool before_;
};

namespace detail {

using RangeBody = void (*)(const void* context, size_t begin, size_t end);

// What a call of a loop's body takes, learned while it runs: the cutting into tasks follows it.
struct LoopCost {
  std::atomic<float> nanoseconds{0};  // 0: not known yet
};

// Calls body on ranges that together are [0, count), in any order, on any threads. grain: the length of a
// range until the cost is known; if cost is null, always.
void run_ranges(const char* name, size_t count, size_t grain, RangeBody body, const void* context,
                LoopCost* cost);

using TaskBody = void (*)(const void* context, size_t task);

// Calls body on all tasks: on a task after all before it in the forest.
void run_forest(const char* name, const std::vector<Index>& parents, bool is_upwards, TaskBody body,
                const void* context);

template <class Body>
void for_each_range(const char* name, size_t count, size_t grain, const Body& body) {
  static LoopCost cost;  // of this body's type, so of this loop
  run_ranges(
      name, count, grain,
      [](const void* context, size_t begin, size_t end) { (*static_cast<const Body*>(context))(begin, end); },
      &body, &cost);
}

inline constexpr size_t kReduceChunk = 1024;
inline constexpr size_t kFewChunks = 16;    // [speed only]
inline constexpr size_t kSortChunk = 2048;  // [speed only]

// The least length of a part of the first run that, in a merge of two runs, is among the first `taken` items.
template <class Iterator, class Less>
size_t split_merge(Iterator a, size_t a_count, Iterator b, size_t b_count, size_t taken, const Less& less) {
  size_t low = taken > b_count ? taken - b_count : 0, high = std::min(taken, a_count);
  while (low < high) {
    const size_t middle = (low + high) / 2;
    // Of equal items those of the first run come first.
    if (less(b[static_cast<std::ptrdiff_t>(taken - middle - 1)], a[static_cast<std::ptrdiff_t>(middle)])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace detail

// Calls body(i) for every i in [0, count). grain: the least number of calls worth a task, until it is
// measured.
template <class Body>
void parallel_for(const char* name, size_t count, const Body& body, size_t grain = 256) {
  detail::for_each_range(name, count, grain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) body(i);
  });
}

// Calls body(task) for all tasks of a forest, children before their parents. parents: of each task, a later
// one, or kNone.
template <class Body>
void parallel_upwards(const char* name, const std::vector<Index>& parents, const Body& body) {
  detail::run_forest(
      name, parents, true,
      [](const void* context, size_t task) { (*static_cast<const Body*>(context))(task); }, &body);
}

// The same, parents before their children.
template <class Body>
void parallel_downwards(const char* name, const std::vector<Index>& parents, const Body& body) {
  detail::run_forest(
      name, parents, false,
      [](const void* context, size_t task) { (*static_cast<const Body*>(context))(task); }, &body);
}

// combine(… combine(identity, map(0)) …, map(count−1)), with chunks combined left to right.
template <class T, class Map, class Combine>
T parallel_reduce(const char* name, size_t count, const T& identity, const Map& map, const Combine& combine) {
  const size_t chunks = (count + detail::kReduceChunk - 1) / detail::kReduceChunk;
  const auto for_each_chunk = [&](const auto& value_of, const auto& visit) {
    return [&](size_t begin, size_t end) {
      for (size_t chunk = begin; chunk < end; ++chunk) {
        const size_t last = std::min(count, (chunk + 1) * detail::kReduceChunk);
        T sum = identity;
        for (size_t i = chunk * detail::kReduceChunk; i < last; ++i) sum = combine(sum, value_of(i));
        visit(chunk, sum);
      }
    };
  };
  std::vector<T> partial(chunks, identity);
  const auto keep = [&](size_t chunk, const T& sum) { partial[chunk] = sum; };
  if (chunks <= detail::kFewChunks) {
    // Chunks are too few to share the work: the values are shared first.
    std::vector<T> values(count, identity);
    detail::for_each_range(name, count, detail::kReduceChunk / 4, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) values[i] = map(i);
    });
    const auto value_of = [&](size_t i) -> const T& { return values[i]; };
    detail::for_each_range(name, chunks, 4, for_each_chunk(value_of, keep));
  } else {
    detail::for_each_range(name, chunks, 1, for_each_chunk(map, keep));
  }
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
  const size_t chunks = (count + detail::kSortChunk - 1) / detail::kSortChunk;
  const auto at = [](std::vector<T>& list, size_t i) {
    return list.begin() + static_cast<std::ptrdiff_t>(i);
  };
  detail::for_each_range(name, chunks, 1, [&](size_t begin, size_t end) {
    for (size_t k = begin; k < end; ++k) {
      std::stable_sort(at(items, k * detail::kSortChunk),
                       at(items, std::min(count, (k + 1) * detail::kSortChunk)), less);
    }
  });
  // Merge runs of doubling width, back and forth between two buffers, in pieces of the result.
  std::vector<T> other(chunks > 1 ? count : 0);
  for (size_t width = detail::kSortChunk; width < count; width *= 2) {
    detail::for_each_range(name, chunks, 1, [&](size_t begin, size_t end) {
      for (size_t k = begin; k < end; ++k) {
        const size_t first = k * detail::kSortChunk, last = std::min(count, first + detail::kSortChunk);
        const size_t start = first / (2 * width) * (2 * width);
        const size_t middle = std::min(count, start + width), stop = std::min(count, start + 2 * width);
        const auto a = at(items, start), b = at(items, middle);
        const auto split = [&](size_t to) {
          return detail::split_merge(a, middle - start, b, stop - middle, to - start, less);
        };
        const size_t a0 = split(first), a1 = split(last);
        std::merge(at(items, start + a0), at(items, start + a1), at(items, middle + (first - start - a0)),
                   at(items, middle + (last - start - a1)), at(other, first), less);
      }
    });
    items.swap(other);
  }
}

}  // namespace marrow::exec
