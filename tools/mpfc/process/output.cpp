#include "tools/mpfc/process/output.h"

#include "dsl/support/check.h"
#include "dsl/support/files/file_output.h"
#include "tools/mpfc/process/write_stdout.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <iostream>
#include <iterator>
#include <new>

namespace mpf::driver {

void writeResult(const Options &options, const std::string &text) {
  if (!options.output.empty() && options.output != "-") {
    writeFile(options.output, text);
    return;
  }
  writeToStdout(text);
}

void finishStdout() {
  std::cout.flush();
  if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    fail(ErrorKind::BadInput, "cannot write to stdout: {}", std::strerror(errno));
}

void sayFormatted(fmt::string_view format, fmt::format_args arguments) noexcept {
  try {
    fmt::memory_buffer text;
    fmt::vformat_to(std::back_inserter(text), format, arguments);
    std::fwrite(text.data(), 1, text.size(), stderr);
  } catch (const std::bad_alloc &) {
    std::fputs("mpfc: error: the machine is out of memory\n", stderr);
  }
}

std::string counted(uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void printDiagnostics(const Diagnostics &diagnostics) {
  say("{}", renderDiagnostics(diagnostics, "mpfc: "));
  if (diagnostics.hasErrors())
    fail(ErrorKind::BadInput, "{} in the input",
         counted(diagnostics.errorCount(), "error", "errors"));
}

} // namespace mpf::driver
