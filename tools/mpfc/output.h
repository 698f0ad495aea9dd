// Where results and messages go: results to stdout or -o, everything else to stderr.
#pragma once

#include "dsl/source/diagnostic.h"
#include "tools/mpfc/options/options.h"

#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <string_view>

namespace mpf::driver {

/// Writes a command's result to -o (whole or not at all) or to stdout. Throws Error(BadInput) when
/// that fails, a closed pipe and a full disk included.
void writeResult(const Options &options, const std::string &text);

/// What was printed to stdout is there, or Error(BadInput) says why not: help for a full disk, too.
void finishStdout();

/// As say.
void sayFormatted(fmt::string_view format, fmt::format_args arguments) noexcept;

/// To stderr. Where that is closed or full there is nobody to tell: no error. Where there is no
/// memory, texts of up to 500 bytes need none; of a longer one only that is said.
template <class... Args> void say(fmt::format_string<Args...> format, Args &&...args) noexcept {
  sayFormatted(format, fmt::make_format_args(args...));
}

/// "1 kernel", "2 kernels"
std::string counted(uint64_t count, std::string_view one, std::string_view many);

/// Prints what was reported to stderr. Throws Error(BadInput), counting them, if errors are there.
void printDiagnostics(const Diagnostics &diagnostics);

} // namespace mpf::driver
