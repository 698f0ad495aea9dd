// A handful of independent tasks on a few threads. Which thread runs which task is left open, so
// tasks must write only what is their own.
#pragma once

#include "dsl/support/system/memory_limits.h"
#include "dsl/support/system/thread_count.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace mpf {

/// Calls task(0) ... task(count - 1), each once, and returns when all are done; rethrows the
/// exception of the least task that threw. `threads` 0: one per core. The caller's thread works
/// too. Where the address space is limited fewer threads may work (memory_limits.h).
template <class Task> void runParallel(size_t count, unsigned threads, const Task &task) {
  std::atomic<size_t> next{0};
  std::vector<std::exception_ptr> failures(count);
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++) {
      try {
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
  std::vector<std::jthread> helpers;
  try {
    for (size_t i = 1; i < threads && i < count; ++i)
      helpers.emplace_back(work);
  } catch (const std::system_error &) {
    // No more threads to be had: those that run, if only the caller's, do the work.
  } catch (const std::bad_alloc &) { // nor memory for them
  }
  work();
  helpers.clear();
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}

} // namespace mpf
