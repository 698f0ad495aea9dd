// A fixed set of threads that runs numbered tasks. Which thread takes which task is not fixed;
// tasks must write disjoint memory, and then results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace mpf {

/// In a forked child, where no other thread exists, the caller does all tasks: the same results.
class ThreadPool {
public:
  /// `threads` >= 1 workers in all, or as many as the system gives: the caller of run() is worker
  /// 0.
  explicit ThreadPool(size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  size_t threadCount() const { return threadCount_; }

  /// Calls task(index, worker) for every index below `count`, and returns when all are done. The
  /// first exception of a task is thrown here. Not reentrant; one caller at a time.
  void run(size_t count, const std::function<void(size_t index, size_t worker)> &task);

private:
  struct Workers;

  bool isInForkedChild() const;

  std::unique_ptr<Workers> workers_;
  size_t threadCount_ = 1;
  unsigned forkCount_;
};

} // namespace mpf
