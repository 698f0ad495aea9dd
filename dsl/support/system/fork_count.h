// What does not survive a fork: threads and the driver of a GPU stay with the parent.
#pragma once

namespace mpf {

/// Forks between the first call in this program and this process: an object that has kept the
/// number from when it was made is in a forked child where it differs. Thread-safe.
unsigned forkCount();

} // namespace mpf
