// Which slice the best value came from, kept up while maxima (minima) are taken over slices.
#pragma once

#include "runtime/schedule/walk_steps.h"

namespace mpf {

/// Every loop has one accumulation. Its best iteration is that of its own variable and of the loops
/// whose accumulated values went into it; those end before it looks at what they found. Loops that
/// are independent of each other choose each for itself.
class BestSlice {
public:
  explicit BestSlice(const Bundle &bundle);

  /// The accumulation of `loop` (counted from 1) took its value from this iteration.
  void record(uint32_t loop, const SliceStates &states);
  /// The best slice of the last run: one state per loop.
  SliceStates states() const;

private:
  struct Source {
    uint32_t loop = 0;    ///< its accumulation is taken up directly
    uint32_t decided = 0; ///< a loop whose state it decides: itself, or one that went into it
    bool operator==(const Source &) const = default;
  };
  static void unite(std::vector<Source> &into, const std::vector<Source> &from);

  std::vector<std::vector<Source>> sources_; ///< by loop, of its accumulation
  std::vector<Source> outermost_;            ///< of the output
  std::vector<SliceStates> best_;            ///< by loop: the states of the loops it decides
};

} // namespace mpf
