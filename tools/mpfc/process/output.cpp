#include "tools/mpfc/process/output.h"

#include "dsl/support/check.h"
#include "dsl/support/files/file_output.h"
#include "dsl/support/text/shown_text.h"
#include "tools/mpfc/process/write_stdout.h"

#include <algorithm>
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
    fmt::memory_buffer text, shown; // withoutControls would need memory
    fmt::vformat_to(std::back_inserter(text), format, arguments);
    const std::string_view whole(text.data(), text.size());
    for (size_t at = 0; at < whole.size();) {
      const size_t length = std::max<size_t>(utf8Length(whole, at), 1);
      const bool isShown = whole[at] == '\n' || whole[at] == '\t' || !isControl(whole, at);
      shown.append(isShown ? whole.substr(at, length) : "?");
      at += length;
    }
    std::fwrite(shown.data(), 1, shown.size(), stderr);
  } catch (const std::bad_alloc &) {
    std::fputs("mpfc: error: the machine is out of memory\n", stderr);
  }
}

void clearLine() noexcept { std::fputs("\r\x1b[K", stderr); }

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
