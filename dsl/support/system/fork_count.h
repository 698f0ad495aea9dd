// Detects a fork. A child process has neither its parent's threads nor a working GPU driver, so
// objects that use them must not be used in the child.
#pragma once

namespace mpf {

/// Returns the number of forks that lead from the process that first called this function to this
/// process. An object stores the number when it is made; if it differs later, the object is in a
/// forked child. Thread-safe.
unsigned forkCount();

} // namespace mpf
