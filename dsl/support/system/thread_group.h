// Threads that do the same work beside the one that starts them.
#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace mpf {

/// Of one thread at a time, which is not of the group.
class ThreadGroup {
public:
  ThreadGroup() = default;
  ThreadGroup(const ThreadGroup &) = delete;
  ThreadGroup &operator=(const ThreadGroup &) = delete;
  ~ThreadGroup() { join(); }

  /// Starts `count` threads, each with a copy of `work`, which must not throw. Fewer, or none,
  /// where the system has no more threads or there is no memory for them: the caller is to get by
  /// with any number.
  template <class Work> void start(size_t count, const Work &work) {
    try {
      threads_.reserve(threads_.size() + count);
      for (size_t i = 0; i < count; ++i)
        threads_.emplace_back(work);
    } catch (const std::exception &) {
    }
  }

  /// Waits until each has done its work. The group is empty then.
  void join() {
    for (std::thread &thread : threads_)
      thread.join();
    threads_.clear();
  }

  bool empty() const { return threads_.empty(); }

private:
  std::vector<std::thread> threads_;
};

} // namespace mpf
