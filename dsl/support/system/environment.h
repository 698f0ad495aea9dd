// THE ENVIRONMENT: what variables say, for whoever may be told.
#pragma once

#include <string>

namespace mpf {

/// The value of a variable; empty when there is none. Empty, too, in a process that has more rights
/// than whoever started it (set-user-ID and the like): the environment is that one's. Thread-safe
/// unless somebody sets variables meanwhile.
std::string environmentValue(const char *name);

/// $TMPDIR, else /tmp.
std::string temporaryFolder();

} // namespace mpf
