// Keeps track of the slice that the best value comes from, while a maximum (minimum) is taken over
// slices. Among equally good slices the first one counts (accumulate_slice.h), like the lowest of
// equally good states inside a slice (decode_tables.h).
#pragma once

#include "runtime/schedule/walk_steps.h"

namespace mpf {

/// Every loop has one accumulation. The best iteration of a loop decides the state of the loop's
/// variable. It also decides the states of the loops whose accumulated values went into it; those
/// have ended when the loop reads their values. Independent loops decide independently.
class BestSlice {
public:
  explicit BestSlice(const Bundle &bundle);

  /// Notes that the accumulation of `loop` (counted from 1) took its value from this iteration.
  /// `inside` knows the best iterations of the loops whose accumulated values went into it.
  void record(uint32_t loop, const SliceStates &states, const BestSlice &inside);
  /// Returns the best slice of the last run: one state per loop.
  SliceStates states() const;

  struct Source {
    uint32_t loop = 0;    ///< loop whose accumulated values are read directly
    uint32_t decided = 0; ///< loop whose state `loop` decides: itself, or one that went into it
    bool operator==(const Source &) const = default;
  };
  /// The sources of the accumulation of `loop` (counted from 1). Loops in Source count from 0.
  const std::vector<Source> &sources(uint32_t loop) const { return sources_[loop - 1]; }
  /// Returns all recorded states, for a device that keeps track itself: by loop, the states of all
  /// loops.
  std::vector<uint32_t> noted() const;
  void setNoted(std::span<const uint32_t> noted);

private:
  static void unite(std::vector<Source> &into, const std::vector<Source> &from);

  std::vector<std::vector<Source>> sources_; ///< by loop: the sources of its accumulation
  std::vector<Source> outermost_;            ///< the sources of the outputs
  std::vector<SliceStates> best_;            ///< by loop: the states of the loops it decides
};

} // namespace mpf
