// Keeps track of the slice that the best value comes from, while a maximum (minimum) is taken over
// slices. Of equally good slices the first one counts (accumulate_slice.h), as the lowest of
// equally good states does inside a slice (decode_tables.h).
#pragma once

#include "runtime/schedule/walk_steps.h"

namespace mpf {

/// Every loop has one accumulation. The best iteration of a loop decides the state of its own
/// variable and of the loops whose accumulated values went into it; those have ended when the loop
/// reads their values. Independent loops decide independently.
class BestSlice {
public:
  explicit BestSlice(const Bundle &bundle);

  /// Notes that the accumulation of `loop` (counted from 1) took its value from this iteration.
  void record(uint32_t loop, const SliceStates &states);
  /// The best slice of the last run: one state per loop.
  SliceStates states() const;

  struct Source {
    uint32_t loop = 0;    ///< its accumulation is taken up directly
    uint32_t decided = 0; ///< a loop whose state it decides: itself, or one that went into it
    bool operator==(const Source &) const = default;
  };
  /// What the accumulation of `loop` (counted from 1) takes up. Loops in here count from 0.
  const std::vector<Source> &sources(uint32_t loop) const { return sources_[loop - 1]; }
  /// All that is noted, for a device that keeps track itself: by loop, the states of all loops.
  std::vector<uint32_t> noted() const;
  void setNoted(std::span<const uint32_t> noted);

private:
  static void unite(std::vector<Source> &into, const std::vector<Source> &from);

  std::vector<std::vector<Source>> sources_; ///< by loop, of its accumulation
  std::vector<Source> outermost_;            ///< of the output
  std::vector<SliceStates> best_;            ///< by loop: the states of the loops it decides
};

} // namespace mpf
