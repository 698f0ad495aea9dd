// ENVIRONMENT VARIABLES, unless the process has more rights than the user who started it.
#pragma once

#include <string>

namespace mpf {

/// Returns the value of a variable; empty if it is not set. Also empty in a process that has more
/// rights than the user who started it (set-user-ID and the like), because that user controls the
/// environment. Thread-safe unless another thread sets variables meanwhile.
std::string environmentValue(const char *name);

/// Returns $TMPDIR, or /tmp if it is not set.
std::string temporaryFolder();

} // namespace mpf
