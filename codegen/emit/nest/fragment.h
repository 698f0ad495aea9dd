// FRAGMENT: the entries of one table that a thread holds in registers at a time, as a flat array in
// the order of their addresses, so that consecutive ones travel as one vector access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

struct FragmentAxis {
  size_t axis = 0;           ///< Nest::axes
  uint64_t memoryStride = 0; ///< elements in the table, or in its segment
  uint64_t flatStride = 0;   ///< elements in the register array
};

struct Fragment {
  std::vector<FragmentAxis> axes; ///< nearest addresses first
  uint64_t sizeElems = 1;
  size_t runAxes = 0;    ///< the first so many axes are contiguous in memory
  uint64_t runElems = 1; ///< product of their extents
  uint32_t vector = 1;   ///< elements per access, divides runElems

  bool contains(size_t axis) const;
};

/// What one axis contributes to a digit that is not covered exactly.
struct DigitPart {
  size_t axis = 0;
  uint64_t step = 1;
};
struct GuardedDigit {
  uint64_t extent = 0;
  std::vector<DigitPart> parts;
};

/// Lays out a fragment over `axes` (pairs of nest axis and stride in memory), `extents` by nest
/// axis. `vector` entries must divide the contiguous run; that addresses are aligned and no vector
/// straddles the end of a guarded digit is for findFault (verify_nest.h) to see.
Fragment layOutFragment(std::vector<std::pair<size_t, uint64_t>> axes,
                        const std::vector<uint64_t> &extents, uint32_t vector);

} // namespace mpf
