// Threads that do the same work as the thread that starts them.
#pragma once

#include "dsl/support/system/watched_call.h"

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace mpf {

/// Threads that run until they are joined. One thread at a time, which is none of them, uses the
/// object.
class ThreadGroup {
public:
  ThreadGroup() = default;
  ThreadGroup(const ThreadGroup &) = delete;
  ThreadGroup &operator=(const ThreadGroup &) = delete;
  ~ThreadGroup() { join(); }

  /// Starts `count` threads, each with a copy of `work`, which must not throw. They work for the
  /// call for which this thread works (watched_call.h). Starts fewer, or none, if the system has no
  /// more threads or memory: the caller must work with any number.
  template <class Work> void start(size_t count, const Work &work) {
    try {
      threads_.reserve(threads_.size() + count);
      for (size_t i = 0; i < count; ++i)
        threads_.emplace_back(workFor<Work>, currentCall(), work);
    } catch (const std::exception &) {
    }
  }

  /// Waits until all threads have done their work; then empties the group.
  void join() {
    for (std::thread &thread : threads_)
      thread.join();
    threads_.clear();
  }

  bool empty() const { return threads_.empty(); }

private:
  template <class Work> static void workFor(CallState *call, const Work &work) {
    const CallScope scope(call);
    work();
  }

  std::vector<std::thread> threads_;
};

} // namespace mpf
