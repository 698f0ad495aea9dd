// Writes results to stdout.
#pragma once

#include <string_view>

namespace mpf::driver {

/// Writes to stdout, at once. Waits for a reader, also where stdout is set not to block. A closed
/// pipe ends the process (SIGPIPE), or where that is ignored is an error; Error(BadInput).
void writeToStdout(std::string_view text);

} // namespace mpf::driver
