#include "tools/mpfc/process/long_planning.h"

#include "tools/mpfc/process/signals.h"

#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace mpf::driver {

namespace {

constexpr unsigned kNotedSeconds = 10;

extern "C" void sayLongPlanning(int) {
  const int problem = errno;
  tell("mpfc: note: planning has taken 10 s and goes on, perhaps for minutes; Ctrl-C ends the "
       "search with the best plan so far\n");
  ::signal(SIGALRM, SIG_IGN);
  errno = problem;
}

} // namespace

LongPlanning::LongPlanning() {
  static const bool isInstalled = [] {
    struct sigaction action {};
    action.sa_handler = sayLongPlanning;
    action.sa_flags = SA_RESTART;
    return ::sigaction(SIGALRM, &action, nullptr) == 0;
  }();
  if (isInstalled)
    ::alarm(kNotedSeconds);
}

LongPlanning::~LongPlanning() { ::alarm(0); }

} // namespace mpf::driver
