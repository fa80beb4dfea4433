#include "output/run/background.h"

#include <utility>

#include "core/trace.h"

namespace marrow {

Background::~Background() {
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
  }
  change_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Background::throw_failure() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Background::add(std::function<void()> task) {
  std::unique_lock lock(mutex_);
  change_.wait(lock, [&] { return tasks_.size() < kMostWaiting || failure_; });
  throw_failure();
  tasks_.push_back(std::move(task));
  if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
  change_.notify_all();
}

void Background::finish() {
  std::unique_lock lock(mutex_);
  change_.wait(lock, [&] { return tasks_.empty() && !is_busy_; });
  throw_failure();
}

void Background::serve() {
  trace::set_beside();
  std::unique_lock lock(mutex_);
  while (true) {
    change_.wait(lock, [&] { return !tasks_.empty() || is_ended_; });
    if (tasks_.empty()) return;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    is_busy_ = true;
    change_.notify_all();  // there is room again
    lock.unlock();
    std::exception_ptr failure;
    try {
      task();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    is_busy_ = false;
    if (failure) {
      failure_ = failure;
      tasks_.clear();  // they count on what was not written
    }
    change_.notify_all();
  }
}

}  // namespace marrow
