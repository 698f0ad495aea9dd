// Writes results to stdout.
#pragma once

#include <string_view>

namespace mpf::driver {

/// Writes to stdout at once. Waits for a reader, even if stdout is non-blocking. A closed pipe ends
/// the process (SIGPIPE), or throws Error(BadInput) if that signal is ignored.
void writeToStdout(std::string_view text);

} // namespace mpf::driver
