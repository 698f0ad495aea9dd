// mpf-check-kernel: the process that `mpfc check-kernel` starts. It is separate because it links
// Clang, which mpfc should not load, and because an edited kernel may crash or never end.
//
//   mpf-check-kernel NAME [COMPILER]     the text on the standard input; NAME is for messages,
//                                        COMPILER a C++ compiler as $CXX names it
//
// Findings go to stderr. Exit code 0: nothing was found; else it is one of mpfc's codes.
#include "codegen/emit/tooling/end_without_memory.h"
#include "dsl/source/diagnostic.h"
#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "tools/mpf-check-kernel/check_text.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

using namespace mpf;

namespace {

constexpr const char *kOutOfMemory =
    "mpf-check-kernel: error: the system refused memory that the work takes\n";

int check(const char *name) {
  Diagnostics diagnostics;
  const auto text = std::make_shared<const SourceBuffer>(name, readStdin());
  const std::vector<std::string> lines = checkText(text, diagnostics);
  fmt::print(stderr, "{}", renderDiagnostics(diagnostics));
  if (diagnostics.hasErrors())
    return exitCode(ErrorKind::BadInput);
  std::string said;
  for (const std::string &line : lines)
    said += fmt::format("{}: {}\n", name, line);
  if (std::fwrite(said.data(), 1, said.size(), stdout) != said.size() || std::fflush(stdout) != 0)
    fail(ErrorKind::BadInput, "cannot write to stdout: {}", std::strerror(errno));
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    fmt::print(stderr, "usage: mpf-check-kernel NAME [COMPILER] < TEXT (see mpfc check-kernel)\n");
    return exitCode(ErrorKind::Usage);
  }
  if (argc == 3)
    ::setenv("CXX", argv[2], 1);
  endWithoutMemory(kOutOfMemory, exitCode(ErrorKind::MemoryBound));
  try {
    return check(argv[1]);
  } catch (const Error &error) {
    fmt::print(stderr, "mpf-check-kernel: error: {}\n", error.what());
    return exitCode(error.kind());
  } catch (
      const std::bad_alloc &) { // of memory that is no block of the allocator's, such as stacks
    std::fputs(kOutOfMemory, stderr);
    return exitCode(ErrorKind::MemoryBound);
  } catch (const std::exception &error) {
    fmt::print(stderr, "mpf-check-kernel: internal error: {}\n", error.what());
    return exitCode(ErrorKind::Internal);
  }
}
