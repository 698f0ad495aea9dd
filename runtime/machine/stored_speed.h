// The measured speed of this machine, beside the cache of kernels (runtime/compile/disk_cache.h).
// Another processor, number of threads or GPU makes it another machine (machine_identity.h).
#pragma once

#include "runtime/compile/disk_cache.h"
#include "runtime/machine/machine_speed.h"

#include <optional>

namespace mpf {

/// What storeSpeed left for this machine, else shippedSpeed(). An entry that cannot be read, or is
/// not this user's, counts as none.
MachineSpeed storedSpeed();
std::optional<MachineSpeed> loadSpeed();

/// Whether storeSpeed can write: for who is about to measure.
bool canStoreSpeed();

/// False where the cache cannot be written.
bool storeSpeed(const MachineSpeed &speed, const DiskCache &cache = DiskCache());

} // namespace mpf
