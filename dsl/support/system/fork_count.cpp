#include "dsl/support/system/fork_count.h"

#include <atomic>
#include <pthread.h>

namespace mpf {

namespace {

std::atomic<unsigned> forks{0};

void countFork() { forks.fetch_add(1, std::memory_order_relaxed); }

} // namespace

unsigned forkCount() {
  [[maybe_unused]] static const int registered = ::pthread_atfork(nullptr, nullptr, countFork);
  return forks.load(std::memory_order_relaxed);
}

} // namespace mpf
