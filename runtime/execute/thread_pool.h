// A fixed set of threads that runs numbered tasks. Which thread takes which task is not fixed;
// tasks must write disjoint memory, and then results do not depend on the number of threads.
#pragma once

#include "runtime/execute/pool_thread.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

namespace mpf {

class ThreadPool {
public:
  /// `threads` >= 1 workers in all, or as many as the system gives: the caller of run() is worker
  /// 0.
  explicit ThreadPool(size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  size_t threadCount() const { return threads_.size() + 1; }

  /// Calls task(index, worker) for every index below `count`, and returns when all are done. The
  /// first exception of a task is thrown here. Not reentrant; one caller at a time.
  void run(size_t count, const std::function<void(size_t index, size_t worker)> &task);

private:
  void workerLoop(size_t worker);
  void takeTasks(size_t worker);

  std::mutex mutex_;
  std::condition_variable start_, done_;
  const std::function<void(size_t, size_t)> *task_ = nullptr;
  size_t count_ = 0;
  std::atomic<size_t> next_{0};
  size_t busy_ = 0;    ///< workers that have not finished the current round
  uint64_t round_ = 0; ///< grows by one with each run()
  bool stop_ = false;
  std::exception_ptr failure_;
  std::vector<PoolThread> threads_;
};

} // namespace mpf
