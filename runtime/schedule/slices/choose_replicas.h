// Chooses how many slices of each loop a GPU computes side by side (replicate_slices.h): the number
// that is predicted to take the least time. The prediction starts from the launches of one slice
// (launches/level_time.h).
//
// A launch takes a fixed time, however small its work is. So slices whose launches leave most of
// the device idle are computed side by side until it is full. Specialised kernels are assumed to
// fill it, and to run one after the other.
//
// Bundles plan memory for one slice. The tables of further replicas are in addition, within
// kApartBytes. Small results of all replicas are laid apart in the rest of it (lay_apart.h). So the
// memory beyond the user's bound of the tables is the same with replicas and without.
#pragma once

#include "runtime/schedule/launches/level_time.h"
#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/slices/replicate_slices.h"

#include <cstdint>

namespace mpf {

/// Greatest number of replicas: the kernel that adds slices up takes no more at a time.
inline constexpr uint32_t kMostReplicas = 64;

struct ReplicaOptions {
  /// Number of slices of each loop side by side, where memory and the loop allow. 0: the number
  /// that is predicted to take the least time.
  uint32_t atOnce = 0;
  LevelSpeed speed;                     ///< speed of the GPU
  uint64_t mostBytes = kApartBytes / 2; ///< memory of the tables of all replicas but the first
};

/// Returns the number of slices side by side for each loop; empty for a bundle without loops.
/// `bundle` must have GPU kernels. Deterministic; makes a launch plan, in time nearly linear in the
/// operations.
SliceReplicas chooseReplicas(const Bundle &bundle, const ReplicaOptions &options);

/// Returns the bundle for which a GPU's launches are planned: with the chosen replicas, and small
/// results laid apart. Without replicas it is the result of layApart. With replicas, fewer results
/// of the given bundle lie apart.
ReplicatedBundle replicateForGpu(const Bundle &bundle, const ReplicaOptions &options);

} // namespace mpf
