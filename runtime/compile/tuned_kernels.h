// The choices of autotune on disk, for later runs and for other models with operations of equal
// shape.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/compile/disk_cache.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// The conditions, besides the kernel, that a measured time depends on; part of every key.
struct TuningPlace {
  std::string device;   ///< model and driver: "NVIDIA H200, driver 13000"
  std::string arch;     ///< "sm_90"
  std::string compiler; ///< version of NVRTC: "13.0"
};

/// A candidate and the median time of its runs.
struct MeasuredKernel {
  std::string name;
  double timeUs = 0;
};

struct TunedKernel {
  BundleKernel kernel; ///< the fastest candidate, without machine code
  /// All measured candidates; the cost model's choice comes first.
  std::vector<MeasuredKernel> measured;

  bool wasMeasured(const std::string &name) const;
};

/// Maps the kernel that the cost model chooses for a piece of work to the kernel that was measured
/// to be the fastest. The key is a hash of the place and of the source of the model's choice. That
/// source depends on shape, type, value form and semiring of the operation, and on planner and
/// emitter. Not thread-safe, but several processes may share the cache.
class TunedKernels {
public:
  /// Opens the cache in `folder`; empty: DiskCache::defaultFolder().
  explicit TunedKernels(TuningPlace place, const std::string &folder = {});
  /// Whether the cache holds any choice. If not, callers need not determine the TuningPlace.
  static bool any(const std::string &folder = {});

  /// Returns none when this work was never measured in this place. Returns none too when the entry
  /// cannot be read, and damagedNote counts it.
  std::optional<TunedKernel> load(const BundleKernel &modelChoice);
  /// Returns false when the choice could not be written; later runs then do not know it.
  bool store(const BundleKernel &modelChoice, const TunedKernel &tuned) const;

  /// Returns one sentence about entries that could not be read; empty if there are none.
  std::string damagedNote() const;

private:
  Hash128 keyOf(const BundleKernel &modelChoice) const;

  TuningPlace place_;
  DiskCache disk_;
  size_t damaged_ = 0;
};

} // namespace mpf
