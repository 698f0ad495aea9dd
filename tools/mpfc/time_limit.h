// --time-limit: ends the process, wherever it is, with the documented exit code.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace mpf::driver {

/// After `seconds` of wall-clock time `showAnswers` tells on a thread of its own what is known so
/// far, while the others go on, and the process leaves with exit code 4 (ErrorKind::TimeLimit), two
/// seconds later at the latest.
/// Result files are renamed into place when complete, so none is left half written. The limit ends
/// with the object; once `showAnswers` has begun the process leaves and the destructor waits for
/// that.
class TimeLimit {
public:
  /// 0: no limit.
  TimeLimit(double seconds, std::function<void()> showAnswers);
  ~TimeLimit() { end(); }
  TimeLimit(const TimeLimit &) = delete;
  TimeLimit &operator=(const TimeLimit &) = delete;

  /// Takes the limit back: the result is there.
  void end();

private:
  void wait(double seconds);

  std::function<void()> showAnswers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;
};

} // namespace mpf::driver
