// A fixed set of threads that runs numbered tasks. Which thread takes which task is not fixed;
// tasks must write disjoint memory, and then results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace mpf {

/// In a forked child process, where no other thread exists, the caller of run() does all tasks.
class ThreadPool {
public:
  /// `threads` >= 1 is the number of workers, the caller of run() included, which is worker 0. No
  /// thread is started before there is work for it. The pool has fewer once the system has refused
  /// to start more.
  explicit ThreadPool(size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  size_t threadCount() const { return threadCount_; }

  /// Calls task(index, worker) for every index below `count`, and returns when all are done. The
  /// first exception of a task is rethrown here. Threads that come too late for any task are not
  /// waited for. A caller that finds another one here does all of its tasks itself, as worker 0:
  /// tasks of two callers share nothing by worker. Not reentrant.
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
