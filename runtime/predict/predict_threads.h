// Predicts times of operations on several CPU threads, from their times on one. Branches of the
// tree run side by side, and so do slices of a loop. Several threads share a large operation
// (runtime/execute/host/). runtime/execute/threads/spread_plan.h predicts the time of a graph of
// tasks, spread_slices.h that of slices.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/machine/machine_speed.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Returns the time on `threads` threads, which are awake already, of an operation that takes one
/// thread `oneUs`.
double sharedUs(double oneUs, size_t threads, const CpuSpeed &speed);

/// The group of an operation that does not run.
inline constexpr uint32_t kNoGroup = UINT32_MAX;

/// Returns the time of each operation of the bundle, in one slice. `oneThreadUs`: the times on one
/// thread. Threads shorten all operations of a loop by the same factor, that of slices side by side
/// where the executor computes them so (spread_slices.h). `groups`: one per
/// operation; only operations of one group run at the same time, and those of kNoGroup take 0;
/// empty: all are in one group. Takes as long as buildTaskGraph.
std::vector<double> spreadOverThreads(const Bundle &bundle, std::span<const double> oneThreadUs,
                                      const CpuSpeed &speed, size_t threads,
                                      std::span<const uint32_t> groups = {});

/// Returns the most slices of any loop that the threads compute side by side; 1: no loop.
uint64_t mostSlicesAtOnce(const Bundle &bundle, std::span<const double> oneThreadUs,
                          const CpuSpeed &speed, size_t threads);

} // namespace mpf
