// Work beside the steps: tasks in order, on a thread of its own. Few may wait, so that results of many steps
// are not held in memory; what fails is thrown to whoever adds the next task or waits for the end.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace marrow {

class Background {
 public:
  Background() = default;
  // Waits for the tasks; what fails then is lost, so call finish before.
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Waits while kMostWaiting tasks wait. Throws what an earlier task threw; later tasks are dropped then.
  void add(std::function<void()> task);

  // Waits until all tasks are done. Throws what one of them threw.
  void finish();

 private:
  static constexpr size_t kMostWaiting = 1;  // the next step's results can be ready, not those after it

  void serve();
  void throw_failure();

  std::mutex mutex_;
  std::condition_variable change_;
  std::deque<std::function<void()>> tasks_;
  std::exception_ptr failure_;
  bool is_busy_ = false, is_ended_ = false;
  std::thread thread_;  // begins with the first task
};

}  // namespace marrow
