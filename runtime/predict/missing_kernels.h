// What a GPU waits for before its first run on this machine, beside being opened: the table-driven
// kernels are compiled where neither the build nor a run before has left them.
#pragma once

namespace mpf {

/// Microseconds to compile them, on one core; 0 where GPU kernels are shipped or cached
/// (runtime/compile/disk_cache.h). Which kernels these are is not asked: that takes driver and
/// compiler, 0.2 s to start, and the table-driven ones are the first that any GPU needs. So kernels
/// of another version, or for another GPU, count too. Thread-safe.
double missingKernelsUs();

} // namespace mpf
