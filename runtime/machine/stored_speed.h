// The measured speed of this machine, stored beside the cache of kernels
// (runtime/compile/disk_cache.h). A speed is valid for the same processor, number of threads and
// GPUs (machine_identity.h).
#pragma once

#include "runtime/compile/disk_cache.h"
#include "runtime/machine/machine_speed.h"

#include <optional>

namespace mpf {

/// Returns the speed that storeSpeed stored for this machine; else shippedSpeed(). Entries that
/// cannot be read, or belong to another user, are ignored.
MachineSpeed storedSpeed();
/// Returns the speed that storeSpeed stored for this machine; else none.
std::optional<MachineSpeed> loadSpeed();

/// Whether storeSpeed can write. Ask before measuring.
bool canStoreSpeed();

/// Stores a speed for this machine. Returns false if the cache cannot be written.
bool storeSpeed(const MachineSpeed &speed, const DiskCache &cache = DiskCache());

} // namespace mpf
