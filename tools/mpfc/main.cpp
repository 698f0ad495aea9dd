// mpfc: one entry to every stage. Results go to stdout, errors to stderr.
#include "dsl/support/error.h"
#include "tools/mpfc/command_line.h"
#include "tools/mpfc/process/output.h"
#include "tools/mpfc/process/refusals.h"
#include "tools/mpfc/process/signals.h"

#include <cerrno>
#include <exception>
#include <fcntl.h>
#include <malloc.h>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

using namespace mpf;

namespace {

/// Else the first file opened would be number 2, and messages would be written into it.
void openStderr() {
  if (::fcntl(STDERR_FILENO, F_GETFD) == -1 && errno == EBADF)
    if (const int sink = ::open("/dev/null", O_WRONLY); sink != -1 && sink != STDERR_FILENO) {
      ::dup2(sink, STDERR_FILENO);
      ::close(sink);
    }
}

/// Where addresses are short: each further arena of the allocator reserves 64 MiB of them.
void keepOneArena() {
  constexpr rlim_t kPlenty = rlim_t{4} << 30;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < kPlenty)
    ::mallopt(M_ARENA_MAX, 1);
}

} // namespace

int main(int argc, char **argv) {
  openStderr();
  driver::installSignals();
  keepOneArena();
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
