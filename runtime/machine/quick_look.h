// A QUICK LOOK at this machine's CPU, about 50 ms: the price of memory, and how much faster or
// slower kernels run than on the machines of the shipped speed. It replaces another machine's speed
// until `mpfc calibrate` measures every kind of kernel.
#pragma once

#include "runtime/machine/machine_speed.h"

#include <string>

namespace mpf {

/// Returns the size of the largest cache of core 0, in bytes, from the system's description below
/// `sys` ("/sys"). 0: it says nothing, or something else than a size.
double lastCacheBytes(const std::string &sys);

/// Returns `shipped`, scaled to this machine. It measures
/// - the first touch of pages, huge and small, which counts as no shorter than the shipped one;
/// - some operations of each kind of built-in kernel, in the caches and beyond them.
///
/// The other curves move with those of the same kind of work. Costs of threads stay. Throws
/// Error(MemoryBound) if the system refuses 40 MiB. Thread-safe; other threads disturb it.
CpuSpeed lookAtCpu(const CpuSpeed &shipped);

} // namespace mpf
