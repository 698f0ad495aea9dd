#include "tools/mpfc/time_limit.h"

#include "dsl/support/error.h"

#include <algorithm>
#include <csignal>
#include <sys/time.h>
#include <unistd.h>

namespace mpf::driver {

namespace {

constexpr char kMessage[] = "mpfc: error: the time limit was reached before a result\n";

/// Only what is allowed in a signal handler: write and _exit.
void leave(int) {
  const ssize_t written = write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  static_cast<void>(written);
  _exit(4); // exitCode(ErrorKind::TimeLimit), which limitTime checks
}

} // namespace

void limitTime(double seconds) {
  if (seconds == 0)
    return;
  if (exitCode(ErrorKind::TimeLimit) != 4)
    fail(ErrorKind::Internal, "the handler's exit code 4 is not that of a time limit, {}",
         exitCode(ErrorKind::TimeLimit));
  constexpr double kLongest = 1e8; // three years: beyond that, no limit
  const double clamped = std::min(seconds, kLongest);
  struct sigaction action = {};
  action.sa_handler = leave;
  sigaction(SIGALRM, &action, nullptr);
  itimerval timer = {};
  timer.it_value.tv_sec = static_cast<time_t>(clamped);
  timer.it_value.tv_usec = std::max<suseconds_t>(
      1, static_cast<suseconds_t>((clamped - static_cast<double>(timer.it_value.tv_sec)) * 1e6));
  setitimer(ITIMER_REAL, &timer, nullptr);
}

} // namespace mpf::driver
