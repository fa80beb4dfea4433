#include <memory>
#include <mutex>

#include "core/trace.h"
#include "exec/cpu/pool.h"
#include "exec/parallel.h"

namespace marrow::exec::detail {
namespace {

// A forest while it runs: the tasks that may begin, and how many tasks each of the others waits for.
class Forest {
 public:
  Forest(const std::vector<Index>& parents, bool is_upwards, TaskBody body, const void* context)
      : parents_(parents), is_upwards_(is_upwards), body_(body), context_(context), left_(parents.size()) {
    const size_t count = parents.size();
    if (is_upwards) {
      waits_ = std::make_unique<std::atomic<Index>[]>(count);
      for (const Index parent : parents) {
        if (parent != kNone) waits_[static_cast<size_t>(parent)].fetch_add(1, std::memory_order_relaxed);
      }
    } else {
      list_children();
    }
    ready_.reserve(count);
    for (size_t k = count; k-- > 0;) {
      if (is_upwards ? waits_[k] == 0 : parents[k] == kNone) ready_.push_back(static_cast<Index>(k));
    }
  }

  // Until all tasks are done: runs what may begin, else helps with loops within the tasks of others.
  void work() {
    for (Watch watch; left_.load(std::memory_order_acquire) > 0;) {
      Index task = take();
      if (task == kNone) {
        if (!pool().help(this)) watch.pause();
        continue;
      }
      while (task != kNone) {
        body_(context_, static_cast<size_t>(task));
        const Index next = find_next(task);
        left_.fetch_sub(1, std::memory_order_acq_rel);
        task = next;
      }
    }
  }

 private:
  void list_children() {
    offsets_.assign(parents_.size() + 1, 0);
    for (const Index parent : parents_) {
      if (parent != kNone) ++offsets_[static_cast<size_t>(parent) + 1];
    }
    for (size_t k = 0; k < parents_.size(); ++k) offsets_[k + 1] += offsets_[k];
    children_.resize(static_cast<size_t>(offsets_.back()));
    std::vector<Index> at(offsets_.begin(), offsets_.end() - 1);
    for (size_t k = 0; k < parents_.size(); ++k) {
      if (parents_[k] != kNone)
        children_[static_cast<size_t>(at[static_cast<size_t>(parents_[k])]++)] = static_cast<Index>(k);
    }
  }

  Index take() {
    if (ready_count_.load(std::memory_order_relaxed) == 0) return kNone;
    const std::lock_guard lock(mutex_);
    if (ready_.empty()) return kNone;
    const Index task = ready_.back();
    ready_.pop_back();
    ready_count_.store(ready_.size(), std::memory_order_relaxed);
    return task;
  }

  // What this thread does after the task, near in memory: its parent if that waits for nothing else, or its
  // last child. The other children go to others.
  Index find_next(Index task) {
    const auto k = static_cast<size_t>(task);
    if (is_upwards_) {
      const Index parent = parents_[k];
      if (parent == kNone) return kNone;
      return waits_[static_cast<size_t>(parent)].fetch_sub(1, std::memory_order_acq_rel) == 1 ? parent
                                                                                              : kNone;
    }
    const auto first = children_.begin() + offsets_[k], last = children_.begin() + offsets_[k + 1];
    if (first == last) return kNone;
    if (last - first > 1) {
      const std::lock_guard lock(mutex_);
      ready_.insert(ready_.end(), first, last - 1);
      ready_count_.store(ready_.size(), std::memory_order_relaxed);
    }
    return *(last - 1);
  }

  const std::vector<Index>& parents_;
  bool is_upwards_;
  TaskBody body_;
  const void* context_;
  std::unique_ptr<std::atomic<Index>[]> waits_;
  std::vector<Index> offsets_, children_;
  std::mutex mutex_;
  std::vector<Index> ready_;  // the last one begins first
  std::atomic<size_t> ready_count_{1};
  alignas(64) std::atomic<size_t> left_;
};

}  // namespace

void run_forest(const char* name, const std::vector<Index>& parents, bool is_upwards, TaskBody body,
                const void* context) {
  const size_t count = parents.size();
  if (count <= 1 || thread_count() == 1) {
    const trace::Scope scope(name);
    for (size_t k = 0; k < count; ++k) body(context, is_upwards ? k : count - 1 - k);
    return;
  }
  Forest forest(parents, is_upwards, body, context);
  run_ranges(
      name, std::min(count, static_cast<size_t>(thread_count())), 1,
      [](const void* shared, size_t, size_t) { static_cast<Forest*>(const_cast<void*>(shared))->work(); },
      &forest, nullptr);
}

}  // namespace marrow::exec::detail
