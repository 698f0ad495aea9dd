// How many slices of each loop a GPU should compute side by side (replicate_slices.h): as many as
// are predicted to take the least time, by the launches of one slice and what these leave of the
// device (level_time.h).
//
// A launch takes its time however little it does; so slices whose launches leave most of the device
// idle go side by side until it is full. Specialised kernels are taken to fill it: they run one
// after the other. The tables of further replicas get memory that bundles do not plan, as they are
// planned for one slice; what they leave of kApartBytes, small results of all replicas lie apart in
// (lay_apart.h). So the bound of the tables that a user gave holds as it does without replicas.
#pragma once

#include "runtime/schedule/launches/level_time.h"
#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/slices/replicate_slices.h"

#include <cstdint>

namespace mpf {

/// The kernel that adds slices up takes so many at a time.
inline constexpr uint32_t kMostReplicas = 64;

struct ReplicaOptions {
  /// Slices of each loop: so many where memory and the loop allow, 1: none side by side; 0: what is
  /// predicted to take the least time.
  uint32_t atOnce = 0;
  LevelSpeed speed;                     ///< of the GPU
  uint64_t mostBytes = kApartBytes / 2; ///< of the tables of all replicas but the first
};

/// Deterministic; makes a launch plan, in time nearly linear in the operations. `bundle` must have
/// GPU kernels, a bundle without loops has no counts.
SliceReplicas chooseReplicas(const Bundle &bundle, const ReplicaOptions &options);

/// The bundle as a GPU's launches are planned for it: replicas as chosen, small results apart.
/// Without replicas that is what layApart gives; with them fewer of the given results lie apart.
ReplicatedBundle replicateForGpu(const Bundle &bundle, const ReplicaOptions &options);

} // namespace mpf
