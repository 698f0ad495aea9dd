// FRAGMENT: the entries of one table that a thread holds in registers at a time. They form a flat
// array in the order of their addresses, so that one vector access moves several of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

struct FragmentAxis {
  size_t axis = 0;           ///< index into Nest::axes
  uint64_t memoryStride = 0; ///< elements in the table, or in its segment
  uint64_t flatStride = 0;   ///< elements in the register array
};

struct Fragment {
  std::vector<FragmentAxis> axes; ///< nearest addresses first
  uint64_t sizeElems = 1;
  size_t runAxes = 0;    ///< number of axes, from the first on, that are contiguous in memory
  uint64_t runElems = 1; ///< product of the extents of these axes
  uint32_t vector = 1;   ///< elements per access, divides runElems

  bool contains(size_t axis) const;
};

/// The part of one axis in a guarded digit's value: index * step.
struct DigitPart {
  size_t axis = 0;
  uint64_t step = 1;
};
struct GuardedDigit {
  uint64_t extent = 0;
  std::vector<DigitPart> parts;
};

/// Lays out a fragment over `axes` (pairs of nest axis and stride in memory). `extents` are indexed
/// by nest axis. `vector` must divide the contiguous run. findFault (verify_nest.h) checks that
/// addresses are aligned and that no vector crosses the end of a guarded digit.
Fragment layOutFragment(std::vector<std::pair<size_t, uint64_t>> axes,
                        const std::vector<uint64_t> &extents, uint32_t vector);

} // namespace mpf
