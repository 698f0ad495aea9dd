// mpfc: one entry to every stage. Results go to stdout, errors to stderr.
#include "dsl/support/error.h"
#include "dsl/support/files/temporary_names.h"
#include "runtime/machine/gpu_backend.h"
#include "tools/mpfc/command_line.h"
#include "tools/mpfc/process/few_addresses.h"
#include "tools/mpfc/process/output.h"
#include "tools/mpfc/process/refusals.h"
#include "tools/mpfc/process/signals.h"

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <initializer_list>
#include <malloc.h>
#include <new>
#include <unistd.h>

using namespace mpf;

namespace {

/// Opens numbers 0 to 2 if they are closed. Otherwise the first files opened would get these
/// numbers, and messages and results would be written into them. Reading from such a stdin, and
/// writing to such a stdout, stays an error.
void openStandardFiles() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) != -1 || errno != EBADF)
      continue;
    const int mode = number == STDOUT_FILENO ? O_RDONLY : O_WRONLY;
    if (const int sink = ::open("/dev/null", mode); sink != -1 && sink != number) {
      ::dup2(sink, number);
      ::close(sink);
    }
  }
}

int runCommand(int argc, char **argv) {
  try {
    const driver::CommandLine commandLine = driver::parseCommandLine(argc, argv);
    const int code = commandLine.run ? commandLine.run(commandLine.options) : 0;
    driver::finishStdout();
    return code;
  } catch (const Error &error) {
    driver::sayError(error);
    return exitCode(error.kind());
  } catch (const std::bad_alloc &) {
    driver::say("mpfc: error: {}\n", kOutOfMemory);
    return exitCode(ErrorKind::MemoryBound);
  } catch (const std::exception &error) {
    driver::say("mpfc: internal error: {}\n", error.what());
    return exitCode(ErrorKind::Internal);
  }
}

} // namespace

int main(int argc, char **argv) {
  openStandardFiles();
  driver::installSignals();
  if (driver::hasFewAddresses())
    ::mallopt(M_ARENA_MAX, 1); // each further arena of glibc reserves 64 MiB
  const int code = runCommand(argc, argv);
  if (gpuBackendIsHeld()) { // it is not used any more: exit without waiting for it or closing it
    removeTemporaryFiles();
    std::quick_exit(code);
  }
  return code;
}
