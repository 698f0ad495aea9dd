#include "tools/mpfc/output.h"

#include "dsl/support/error.h"
#include "dsl/support/file_input.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace mpf::driver {

void writeResult(const Options &options, const std::string &text) {
  if (!options.output.empty() && options.output != "-") {
    writeFileAtomically(options.output, text);
    return;
  }
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    fail(ErrorKind::BadInput, "cannot write to stdout: {}", std::strerror(errno));
}

void printDiagnostics(const Diagnostics &diagnostics) {
  fmt::print(stderr, "{}", renderDiagnostics(diagnostics));
  const size_t count = diagnostics.errorCount();
  if (count != 0)
    fail(ErrorKind::BadInput, "{} error{} in the input", count, count == 1 ? "" : "s");
}

} // namespace mpf::driver
