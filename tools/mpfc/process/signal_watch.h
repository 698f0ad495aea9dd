// Lets a command complete its output before a signal ends the process.
#pragma once

#include <csignal>
#include <functional>
#include <thread>

namespace mpf::driver {

/// While an object lives, the first SIGINT, SIGTERM or SIGHUP calls `finish` on a separate thread,
/// while the other threads go on. After that the process ends by the signal, as in signals.h. A
/// second signal of the kind ends it at once. Signals that the process ignores stay ignored. There
/// may be one object at a time. If the system has no thread or pipe for it, signals end the process
/// at once.
class SignalWatch {
public:
  explicit SignalWatch(std::function<void()> finish);
  /// Waits for the end of the process if a signal has come.
  ~SignalWatch();
  SignalWatch(const SignalWatch &) = delete;
  SignalWatch &operator=(const SignalWatch &) = delete;

private:
  void wait(int pipe);

  std::function<void()> finish_;
  std::thread thread_;
};

} // namespace mpf::driver
