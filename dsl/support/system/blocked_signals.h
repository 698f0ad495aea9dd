// Signals that a failing write sends to the process that writes.
#pragma once

#include <csignal>

namespace mpf {

/// While an object lives, SIGPIPE and SIGXFSZ that this thread causes do not reach the process: the
/// call that caused them fails with EPIPE or EFBIG. Those that were waiting before stay.
class BlockedWriteSignals {
public:
  BlockedWriteSignals();
  ~BlockedWriteSignals();
  BlockedWriteSignals(const BlockedWriteSignals &) = delete;
  BlockedWriteSignals &operator=(const BlockedWriteSignals &) = delete;

private:
  sigset_t signals_, before_, pendingBefore_;
};

} // namespace mpf
