// SUPERVISOR: a process of mpf that runs another program as its child. It makes the program's
// folder and removes it. If mpf ends first (Ctrl-C, SIGTERM, SIGKILL, a crash), it ends the program
// and the program's children.
//
// mpf cannot do this by catching signals: a library may not set the host program's signal handlers,
// and SIGKILL cannot be caught.
#pragma once

#include <cstdint>
#include <sys/types.h>

namespace mpf {

/// The report of the supervisor. It is written to a file, because a parent that ignores SIGCHLD
/// receives no exit code.
struct SupervisorReport {
  int32_t isThere = 0;   ///< 1: the supervisor has finished and written the report
  int32_t problem = 0;   ///< errno, when the program could not be started
  int32_t exitCode = 0;  ///< exit code of the program; 128 + number when a signal ended it
  int32_t hasResult = 0; ///< 1: the program made the plain file `resultName`, and it was copied
};

/// The program to run. It holds only numbers and C strings, because nothing may be allocated
/// between fork and exec.
struct SupervisedProgram {
  const char *path = nullptr;               ///< the program's file
  int file = -1;                            ///< descriptor that `path` names; -1: none
  const char *const *argv = nullptr;        ///< the last element is null
  const char *const *environment = nullptr; ///< the last element is null
  int input = -1, output = -1;              ///< descriptors above 2: stdin; stdout and stderr
  int report = -1;                          ///< a file for a SupervisorReport
  const char *folder = nullptr;     ///< to be made (mode 0700) and removed; must not exist yet
  const char *resultName = nullptr; ///< a file in the folder that is copied to `result`
  int result = -1;                  ///< descriptor
  uint64_t mostResultBytes = 0;     ///< a larger file is not copied
};

/// Starts the supervisor and returns its process number, or -1 with errno. When the program ends,
/// the supervisor kills the processes that it left running. SIGTERM makes the supervisor end the
/// program at once. The calling thread must wait for the supervisor, which treats the end of that
/// thread as the end of mpf (prctl(2), PR_SET_PDEATHSIG).
pid_t startSupervised(const SupervisedProgram &program);

} // namespace mpf
