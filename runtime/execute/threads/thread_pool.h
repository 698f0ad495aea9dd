// A fixed set of threads that runs numbered tasks. Any thread may take any task. Tasks must write
// disjoint memory; then results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace mpf {

/// The caller of run() does all tasks in a forked child process, where no other thread exists.
class ThreadPool {
public:
  /// Makes a pool of `threads` >= 1 workers, including the caller of run(), which is worker 0. A
  /// thread starts when there is work for it. The pool has fewer threads after the system has
  /// refused one.
  explicit ThreadPool(size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  size_t threadCount() const { return threadCount_; }

  /// Calls task(index, worker) for every index below `count` and returns after all calls. Rethrows
  /// the first exception of a task. It does not wait for threads that come too late for any task.
  /// If another caller uses the pool, the caller does all of its tasks itself, as worker 0: so
  /// tasks of two callers must not share memory by worker. Not reentrant.
  void run(size_t count, const std::function<void(size_t index, size_t worker)> &task);

private:
  struct Workers;

  bool isInForkedChild() const;
  void startThreads(size_t wanted);

  std::unique_ptr<Workers> workers_;
  size_t threadCount_ = 1;
  unsigned forkCount_;
};

} // namespace mpf
