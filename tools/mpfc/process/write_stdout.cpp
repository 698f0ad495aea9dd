#include "tools/mpfc/process/write_stdout.h"

#include "dsl/support/check.h"
#include "dsl/support/files/write_all.h"

#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace mpf::driver {

void writeToStdout(std::string_view text) {
  std::fflush(stdout); // empty, unless a library has written
  if (const int problem = writeAll(STDOUT_FILENO, text); problem != 0)
    fail(ErrorKind::BadInput, "cannot write to stdout: {}", std::strerror(problem));
}

} // namespace mpf::driver
