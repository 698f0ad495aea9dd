// Kernels that were chosen by measuring, on disk: what --autotune found out, for later runs and for
// other models with operations of the same shape.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/compile/disk_cache.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// What a measured time depends on besides the kernel; part of every key.
struct TuningPlace {
  std::string device;   ///< model and driver: "NVIDIA H200, driver 13000"
  std::string arch;     ///< "sm_90"
  std::string compiler; ///< version of NVRTC: "13.0"
};

/// A candidate and the median of its runs.
struct MeasuredKernel {
  std::string name;
  double timeUs = 0;
};

struct TunedKernel {
  BundleKernel kernel; ///< the one to take, without machine code
  /// Every candidate that was measured; the cost model's choice comes first.
  std::vector<MeasuredKernel> measured;

  bool wasMeasured(const std::string &name) const;
};

/// Kernels by the kernel that the cost model would take for the same work. The key is the hash of
/// that one's source, which changes with the shape of the operation, type, value form, semiring,
/// with the planner and the emitter, and of the place. Not thread-safe; the cache is shared.
class TunedKernels {
public:
  /// `folder` empty: DiskCache::defaultFolder().
  explicit TunedKernels(TuningPlace place, const std::string &folder = {});
  /// Whether a cache holds any: else there is no place to find out about.
  static bool any(const std::string &folder = {});

  /// None when it was never measured here, or when the entry cannot be read: damagedNote says so.
  std::optional<TunedKernel> load(const BundleKernel &modelChoice);
  /// False when it could not be written: the choice then holds for this time only.
  bool store(const BundleKernel &modelChoice, const TunedKernel &tuned) const;

  /// One sentence about entries that were there and could not be read; empty without.
  std::string damagedNote() const;

private:
  Hash128 keyOf(const BundleKernel &modelChoice) const;

  TuningPlace place_;
  DiskCache disk_;
  size_t damaged_ = 0;
};

} // namespace mpf
