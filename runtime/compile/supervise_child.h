// Between mpf and another program stands a process of mpf's own, the supervisor: it makes the
// program's folder and removes it, and ends the program and the program's children when mpf ends
// first, in whatever way (Ctrl-C, SIGTERM, SIGKILL, a crash, exit from another thread). A library
// cannot do that by catching signals: they are its user's, and SIGKILL cannot be caught.
#pragma once

#include <cstdint>
#include <sys/types.h>

namespace mpf {

/// What the supervisor found, written to a file since an exit code does not reach every parent: one
/// that ignores SIGCHLD is told of none.
struct SupervisorReport {
  int32_t isThere = 0;   ///< 1: the supervisor has come to its end
  int32_t problem = 0;   ///< errno, where the program could not be started
  int32_t exitCode = 0;  ///< of the program; 128 + number when a signal ended it
  int32_t hasResult = 0; ///< 1: it made a plain file, which was copied
};

/// Numbers and plain text only: it is read between fork and exec, where nothing may be allocated.
struct SupervisedProgram {
  const char *const *argv = nullptr;        ///< argv[0] is a path; a null at the end
  const char *const *environment = nullptr; ///< a null at the end
  int input = -1, output = -1;              ///< descriptors above 2: stdin; stdout and stderr
  int report = -1;                          ///< a file for a SupervisorReport
  const char *folder = nullptr;     ///< does not exist yet; mode 0700, removed with what is in it
  const char *resultName = nullptr; ///< a file in the folder that is copied to `result`
  int result = -1;
  uint64_t mostResultBytes = 0; ///< a larger one is none
};

/// Starts the supervisor and returns its process number, or -1 with errno. Whatever the program
/// left running is killed. SIGTERM makes the supervisor end the program at once. The calling thread
/// must wait for it: a supervisor takes the end of that thread for the end of mpf (prctl(2),
/// PR_SET_PDEATHSIG).
pid_t startSupervised(const SupervisedProgram &program);

} // namespace mpf
