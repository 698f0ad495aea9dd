// Between mpf and another program stands a process of mpf's own, the supervisor: it ends the
// program and the program's children when mpf ends first, in whatever way (Ctrl-C, SIGTERM,
// SIGKILL, a crash, exit from another thread). A library cannot do that by catching signals: they
// are its user's, and SIGKILL cannot be caught.
#pragma once

#include <sys/types.h>

namespace mpf {

/// Numbers and plain text only: it is read between fork and exec, where nothing may be allocated.
struct SupervisedProgram {
  const char *const *argv = nullptr;        ///< argv[0] is a path; a null at the end
  const char *const *environment = nullptr; ///< a null at the end
  int input = -1, output = -1;              ///< descriptors above 2: stdin; stdout and stderr
  int problem = -1;   ///< a file: errno, where the program could not be started
  const char *folder; ///< removed with the files in it when mpf has ended
};

/// Starts the supervisor and returns its process number, or -1 with errno. It exits with the
/// program's exit code, or 128 + number when a signal ended it; whatever the program left running
/// is killed. SIGTERM makes it end the program at once. The calling thread must wait for it: a
/// supervisor takes the end of that thread for the end of mpf (prctl(2), PR_SET_PDEATHSIG).
pid_t startSupervised(const SupervisedProgram &program);

} // namespace mpf
