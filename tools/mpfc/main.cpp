// mpfc: one entry to every stage. Results go to stdout, errors to stderr.
#include "dsl/support/error.h"
#include "tools/mpfc/command_line.h"
#include "tools/mpfc/output.h"
#include "tools/mpfc/refusals.h"
#include "tools/mpfc/signals.h"

#include <exception>
#include <fcntl.h>
#include <new>
#include <unistd.h>

using namespace mpf;

namespace {

/// Else the first file opened would be number 2, and messages would be written into it.
void openStderr() {
  if (::fcntl(STDERR_FILENO, F_GETFD) == -1)
    if (const int sink = ::open("/dev/null", O_WRONLY); sink != -1 && sink != STDERR_FILENO) {
      ::dup2(sink, STDERR_FILENO);
      ::close(sink);
    }
}

} // namespace

int main(int argc, char **argv) {
  openStderr();
  driver::installSignals();
  try {
    const driver::CommandLine commandLine = driver::parseCommandLine(argc, argv);
    const int code = commandLine.run ? commandLine.run(commandLine.options) : 0;
    driver::finishStdout();
    return code;
  } catch (const Error &error) {
    driver::sayError(error);
    return exitCode(error.kind());
  } catch (const std::bad_alloc &) {
    // Counts and sizes are bounded before allocating, so this is the machine, not the input.
    driver::say("mpfc: error: the machine is out of memory\n");
    return exitCode(ErrorKind::MemoryBound);
  } catch (const std::exception &error) {
    driver::say("mpfc: internal error: {}\n", error.what());
    return exitCode(ErrorKind::Internal);
  }
}
