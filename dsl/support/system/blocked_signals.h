// Blocks the signals that a failing write sends to its process.
#pragma once

#include <csignal>

namespace mpf {

/// While an object lives, a SIGPIPE or SIGXFSZ that this thread causes does not reach the process:
/// the system call fails with EPIPE or EFBIG. Such signals that were pending before stay pending.
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
