#include "tools/mpfc/process/signal_watch.h"

#include "dsl/support/error.h"
#include "tools/mpfc/process/refusals.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace mpf::driver {

namespace {

constexpr std::array kWatched = {SIGINT, SIGTERM, SIGHUP};

/// A signal handler may only use objects of static duration. The pipe stays open to the end of the
/// process. A handler may be about to write when its watch ends, and the number of a closed pipe
/// could belong to a file by then.
int signalPipe[2] = {-1, -1};
constexpr char kNoSignal = 0; ///< byte in the pipe that ends the watch
std::array<struct sigaction, kWatched.size()> usualActions = {};

/// Restores the handlers from before; async-signal-safe.
void restoreHandlers() {
  for (size_t i = 0; i < kWatched.size(); ++i)
    if (usualActions[i].sa_handler != SIG_IGN)
      ::sigaction(kWatched[i], &usualActions[i], nullptr);
}

extern "C" void passSignalOn(int number) {
  const int problem = errno;
  restoreHandlers();
  const char byte = static_cast<char>(number);
  if (::write(signalPipe[1], &byte, 1) != 1)
    ::raise(number); // as without a watch
  errno = problem;
}

} // namespace

SignalWatch::SignalWatch(std::function<void()> finish) : finish_(std::move(finish)) {
  if (signalPipe[0] < 0 && ::pipe2(signalPipe, O_CLOEXEC) != 0)
    return;
  try {
    thread_ = std::thread([this] { wait(signalPipe[0]); });
  } catch (const std::system_error &) {
    return;
  }
  for (size_t i = 0; i < kWatched.size(); ++i) {
    ::sigaction(kWatched[i], nullptr, &usualActions[i]);
    if (usualActions[i].sa_handler == SIG_IGN)
      continue;
    struct sigaction action = {};
    action.sa_handler = passSignalOn;
    action.sa_flags = SA_RESTART;
    ::sigaction(kWatched[i], &action, nullptr);
  }
}

SignalWatch::~SignalWatch() {
  if (!thread_.joinable())
    return;
  restoreHandlers();
  // The pipe has room and a reader, so a write fails only for a moment; the thread waits for this
  // byte.
  while (::write(signalPipe[1], &kNoSignal, 1) != 1) {
  }
  thread_.join(); // a signal that came before ends the process here
  pollfd late{signalPipe[0], POLLIN, 0};
  char number = kNoSignal;
  if (::poll(&late, 1, 0) == 1 && ::read(signalPipe[0], &number, 1) == 1 && number != kNoSignal)
    ::raise(number); // a signal came after the end: the usual handler ends the process
}

void SignalWatch::wait(int pipe) {
  char number = 0;
  while (::read(pipe, &number, 1) != 1) { // both ends stay open, so it fails only for a moment
  }
  if (number == kNoSignal)
    return;
  try {
    finish_();
  } catch (const Error &error) { // a full disk
    sayError(error);
  } catch (const std::exception &) { // no memory: the signal still ends the process
  }
  ::raise(number); // the restored handler ends the process
  ::_exit(128 + number);
}

} // namespace mpf::driver
