#include "tools/mpfc/process/signals.h"

#include "dsl/support/files/temporary_names.h"

#include <csignal>
#include <cstring>
#include <initializer_list>
#include <poll.h>
#include <unistd.h>

namespace mpf::driver {

void tell(const char *text) {
  // A closed or full stderr must not delay the end of the process.
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&ready, 1, 0) != 1)
    return;
  [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text, std::strlen(text));
}

namespace {

extern "C" void endBySignal(int number) {
  tell(number == SIGINT    ? "mpfc: interrupted (SIGINT)\n"
       : number == SIGTERM ? "mpfc: terminated (SIGTERM)\n"
                           : "mpfc: the terminal is gone (SIGHUP)\n");
  removeTemporaryFiles();
  ::signal(number, SIG_DFL);
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, number);
  ::raise(number);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  ::_exit(128 + number); // the first process of a container is not ended by signals
}

} // namespace

void installSignals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
      continue;
    action = {};
    action.sa_handler = endBySignal;
    ::sigaction(number, &action, nullptr);
  }
  ::signal(SIGXFSZ, SIG_IGN);
}

} // namespace mpf::driver
