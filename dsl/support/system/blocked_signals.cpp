#include "dsl/support/system/blocked_signals.h"

#include <ctime>
#include <initializer_list>
#include <pthread.h>

namespace mpf {

BlockedWriteSignals::BlockedWriteSignals() {
  ::sigemptyset(&signals_);
  ::sigaddset(&signals_, SIGPIPE);
  ::sigaddset(&signals_, SIGXFSZ);
  ::sigemptyset(&pendingBefore_);
  ::sigpending(&pendingBefore_);
  ::pthread_sigmask(SIG_BLOCK, &signals_, &before_);
}

BlockedWriteSignals::~BlockedWriteSignals() {
  sigset_t pending;
  ::sigemptyset(&pending);
  ::sigpending(&pending);
  for (const int number : {SIGPIPE, SIGXFSZ}) {
    if (::sigismember(&pending, number) != 1 || ::sigismember(&pendingBefore_, number) == 1)
      continue;
    sigset_t one;
    ::sigemptyset(&one);
    ::sigaddset(&one, number);
    const timespec now{};
    ::sigtimedwait(&one, nullptr, &now);
  }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

} // namespace mpf
