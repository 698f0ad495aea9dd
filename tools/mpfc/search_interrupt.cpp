#include "tools/mpfc/search_interrupt.h"

namespace mpf::driver {

namespace {

/// A signal handler reaches nothing but objects of static duration.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");

void interrupt(int) { interrupted.store(true, std::memory_order_relaxed); }

} // namespace

SearchInterrupt::SearchInterrupt() : waits_(!interrupted) {
  if (!waits_)
    return;
  struct sigaction action = {};
  action.sa_handler = interrupt;
  action.sa_flags = SA_RESTART;
  action.sa_flags |= static_cast<int>(SA_RESETHAND); // the second one has its usual effect
  sigaction(SIGINT, &action, &interruptBefore_);
  sigaction(SIGTERM, &action, &terminateBefore_);
}

SearchInterrupt::~SearchInterrupt() {
  if (!waits_)
    return;
  sigaction(SIGINT, &interruptBefore_, nullptr);
  sigaction(SIGTERM, &terminateBefore_, nullptr);
}

const std::atomic<bool> *SearchInterrupt::flag() const { return &interrupted; }

} // namespace mpf::driver
