#include "runtime/execute/threads/pool_thread.h"

#include <algorithm>

#include <system_error>
#include <unistd.h>

namespace mpf {

namespace {

/// Returns the size of a stack, including the system's data there (thread-local data of all
/// libraries).
size_t stackBytes() {
  const long least = sysconf(_SC_THREAD_STACK_MIN);
  const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  const uint64_t bytes = kPoolStackBytes + static_cast<uint64_t>(std::max(least, 0L));
  return (bytes + page - 1) / page * page;
}

void *run(void *work) {
  (*static_cast<std::function<void()> *>(work))();
  return nullptr;
}

} // namespace

PoolThread::PoolThread(std::function<void()> work)
    : work_(std::make_unique<std::function<void()>>(std::move(work))) {
  pthread_attr_t attributes;
  int problem = pthread_attr_init(&attributes);
  if (problem == 0) {
    pthread_attr_setstacksize(&attributes, stackBytes()); // on failure the default size remains
    problem = pthread_create(&thread_, &attributes, run, work_.get());
    pthread_attr_destroy(&attributes);
  }
  if (problem != 0)
    throw std::system_error(problem, std::generic_category(), "no thread");
}

void PoolThread::join() { pthread_join(thread_, nullptr); }

} // namespace mpf
