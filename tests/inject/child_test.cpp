// Makes every system call that runs a child program fail, one after the other. The result is either
// the whole output of the program, or an Error.
#include "dsl/support/error.h"
#include "runtime/compile/child_process.h"
#include "tests/inject/points.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <optional>

namespace mpf {
namespace {

ChildResult copyInput() {
  ChildProgram program;
  program.argv = {"/bin/sh", "-c", fmt::format("cat > {}/made; echo said", kChildFolder)};
  program.input = "given";
  program.timeout = std::chrono::seconds(30);
  program.resultName = "made";
  return runChild(program);
}

void expectAllOrAnError(const char *kind, int error) {
  for (unsigned long number = 1;; ++number) {
    mpfInjectArm(kind, number, '\0', error);
    std::optional<ChildResult> result;
    try {
      result = copyInput();
    } catch (const Error &) {
    }
    const bool reached = mpfInjectDisarm();
    if (result && result->exitCode == 0) {
      EXPECT_EQ(result->output, "said\n") << kind << ' ' << number;
      EXPECT_EQ(result->result, "given") << kind << ' ' << number;
    }
    if (!reached) {
      EXPECT_TRUE(result && result->exitCode == 0);
      break;
    }
  }
}

TEST(ChildProcessFails, InOneCall) {
  for (const char *kind : {"memfd_create", "write", "lseek", "fork", "pread", "close"})
    for (const int error : {EIO, EINTR}) {
      SCOPED_TRACE(kind);
      expectAllOrAnError(kind, error);
    }
}

} // namespace
} // namespace mpf
