// Lets a command complete what it has written before a signal ends the process.
#pragma once

#include <csignal>
#include <functional>
#include <thread>

namespace mpf::driver {

/// While an object lives, the first SIGINT, SIGTERM or SIGHUP calls `finish` on a thread of its
/// own, while the other threads go on; after that the process ends by the signal, as signals.h
/// says. A second signal of the kind ends it at once. Signals that the process ignores stay
/// ignored. There may be one object at a time. Where the system has no thread or pipe for it,
/// signals end the process as always.
class SignalWatch {
public:
  explicit SignalWatch(std::function<void()> finish);
  /// If a signal has come, it waits for the end of the process.
  ~SignalWatch();
  SignalWatch(const SignalWatch &) = delete;
  SignalWatch &operator=(const SignalWatch &) = delete;

private:
  void wait(int pipe);

  std::function<void()> finish_;
  std::thread thread_;
};

} // namespace mpf::driver
