// The speed of this machine, stored beside the cache of kernels (runtime/compile/disk_cache.h):
// that of `mpfc calibrate`, or that of a quick look (quick_look.h). A speed is valid for the same
// processor, number of threads and GPUs (machine_identity.h). Programs that find the same speed
// make the same plans.
#pragma once

#include "runtime/compile/disk_cache.h"
#include "runtime/machine/machine_speed.h"

#include <optional>

namespace mpf {

/// The origin of a speed, the best first.
enum class SpeedOrigin {
  Calibrated, ///< `mpfc calibrate` measured it
  Looked,     ///< a quick look
  Shipped,    ///< shippedSpeed(): nothing was measured
};

struct KnownSpeed {
  MachineSpeed speed;
  SpeedOrigin origin = SpeedOrigin::Shipped;
};

/// Returns the best speed that is stored for this machine, else shippedSpeed(). Entries that cannot
/// be read, or belong to another user, are ignored; with MPF_LOOK=off a quick look is too.
KnownSpeed knownSpeed();
/// Returns KnownSpeed::speed.
MachineSpeed storedSpeed();

/// Looks at this machine and stores its speed, if nothing is stored for it. Call it before anything
/// is planned, so that all plans are those of one speed. Does nothing if the cache cannot be
/// written, if memory is short, if the environment has MPF_LOOK=off, and in builds with sanitizers.
/// Takes about 50 ms, once.
void lookOnce();

/// Whether storeSpeed can write. Ask before measuring.
bool canStoreSpeed();

/// Stores a calibrated speed for this machine. Returns false if the cache cannot be written.
bool storeSpeed(const MachineSpeed &speed, const DiskCache &cache = DiskCache());

} // namespace mpf
