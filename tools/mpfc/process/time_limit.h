// --time-limit: ends the process in any phase, with the documented exit code.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace mpf::driver {

/// After `seconds` of wall-clock time, `showAnswers` runs on a separate thread, while other threads
/// continue, and prints the known answers. Then the process exits with code 4
/// (ErrorKind::TimeLimit). Result files are renamed into place when complete, so none is left half
/// written. The destructor cancels the limit; if `showAnswers` has begun, it waits for the exit of
/// the process.
class TimeLimit {
public:
  /// `seconds` = 0: no limit.
  TimeLimit(double seconds, std::function<void()> showAnswers);
  ~TimeLimit() { end(); }
  TimeLimit(const TimeLimit &) = delete;
  TimeLimit &operator=(const TimeLimit &) = delete;

  /// Cancels the limit when the result is complete.
  void end();

private:
  void wait(double seconds);

  std::function<void()> showAnswers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;
};

/// Makes the process exit with that code after two seconds: a reader of stdout that has stopped
/// reading must not keep the process alive.
void leaveSoon();

} // namespace mpf::driver
