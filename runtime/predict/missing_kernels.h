// Predicts the time to compile the table-driven kernels, before the first run of a GPU on this
// machine. They are compiled unless the build or an earlier run has stored them.
#pragma once

namespace mpf {

/// Returns the microseconds to compile them, on one core; 0 if no driver can find a GPU here, or if
/// any GPU kernels are shipped or cached (runtime/compile/disk_cache.h). Kernels of another
/// version, or for another GPU, count too: to tell them apart takes driver and compiler, 0.2 s to
/// start. Thread-safe.
double missingKernelsUs();

} // namespace mpf
