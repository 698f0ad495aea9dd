// Predicts what several CPU threads make of operations whose times on one thread are known:
// branches of the tree run side by side, and several threads share a large operation
// (execute/host/). How long a run takes then is in execute/threads/spread_plan.h.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/machine/machine_speed.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Of an operation that takes one thread `oneUs`, on `threads` threads that are at work already.
double sharedUs(double oneUs, size_t threads, const CpuSpeed &speed);

/// Of an operation that does not run, among groups.
inline constexpr uint32_t kNoGroup = UINT32_MAX;

/// By operation of the bundle, once. `oneThreadUs`: the same on one thread. Operations of a loop
/// share alike what threads save in it. `groups`, by operation, not empty: those of one group run
/// together, and no others beside them; those of kNoGroup take 0. Time: as buildTaskGraph.
std::vector<double> spreadOverThreads(const Bundle &bundle, std::span<const double> oneThreadUs,
                                      const CpuSpeed &speed, size_t threads,
                                      std::span<const uint32_t> groups = {});

} // namespace mpf
