#include "tools/mpfc/process/search_interrupt.h"

#include <cerrno>

namespace mpf::driver {

namespace {

/// A signal handler may only use objects of static duration.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");

struct sigaction usual = {}; ///< action for a second signal

extern "C" void interruptSearch(int) {
  if (interrupted.exchange(true, std::memory_order_relaxed))
    return;
  const int problem = errno;
  sigaction(SIGINT, &usual, nullptr);
  errno = problem;
}

} // namespace

SearchInterrupt::SearchInterrupt() : waits_(!interrupted) {
  sigaction(SIGINT, nullptr, &before_);
  waits_ = waits_ && before_.sa_handler != SIG_IGN;
  if (!waits_)
    return;
  usual = before_;
  struct sigaction action = {};
  action.sa_handler = interruptSearch;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

SearchInterrupt::~SearchInterrupt() {
  if (waits_)
    sigaction(SIGINT, &before_, nullptr);
}

const std::atomic<bool> *SearchInterrupt::flag() const { return &interrupted; }

} // namespace mpf::driver
