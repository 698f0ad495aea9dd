// Runs independent tasks on several threads. Any thread may run any task, so no two tasks may write
// to the same memory.
#pragma once

#include "dsl/support/system/memory_limits.h"
#include "dsl/support/system/thread_count.h"
#include "dsl/support/system/thread_group.h"
#include "dsl/support/system/watched_call.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <vector>

namespace mpf {

/// Calls task(0) ... task(count - 1), each once, and returns when all are done; rethrows the
/// exception of the task of the smallest number that threw. `threads` 0: one per core. The calling
/// thread works too. Fewer threads work when the address space is limited (memory_limits.h) or the
/// system gives no more.
template <class Task> void runParallel(size_t count, unsigned threads, const Task &task) {
  std::atomic<size_t> next{0};
  std::vector<std::exception_ptr> failures(count);
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++) {
      try {
        throwIfCancelled();
        task(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  if (threads == 0)
    threads = threadCount(0);
  if (count > 1 && threads > 1)
    threads = 1 + static_cast<unsigned>(helpersWithin(std::min<uint64_t>(threads, count) - 1));
  ThreadGroup helpers;
  if (count > 1)
    helpers.start(std::min<size_t>(threads, count) - 1, [&work] { work(); });
  work();
  helpers.join();
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}

} // namespace mpf
