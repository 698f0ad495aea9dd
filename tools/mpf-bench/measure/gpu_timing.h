// The three ways of timing a launch on a GPU.
#pragma once

namespace mpf::bench {

enum class GpuTiming {
  Alone, ///< L2 swept, one event before and one after: with the start of a first launch, some 4 us
  Train, ///< mean of launches one after another, each on tables that have left L2: as in programs
  Warm,  ///< mean of launches one after another on the same tables, which L2 may hold
};

} // namespace mpf::bench
