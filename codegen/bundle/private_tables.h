// The tables that every slice of a loop computes anew, and the memory that they take without the
// gaps between them. Slices that are computed side by side have separate copies of these tables: on
// a GPU (runtime/schedule/slices/replicate_slices.h) and on threads of a CPU (slice_arenas.h).
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace mpf {

/// Greatest result of tableAlignBytes; every copy of slice tables starts at a multiple.
inline constexpr uint64_t kPrivateAlignBytes = 256;

/// Returns, for each buffer, the loop whose slices compute it anew; 0 for inputs and results of a
/// run.
std::vector<uint32_t> owningLoops(const Bundle &bundle);

/// A plain value. Tables that share memory, because they are needed at different times, share it in
/// every copy.
class PrivateTables {
public:
  /// `owners`: owningLoops. Holds the tables of the loops for which `isHeld` is true.
  PrivateTables(const Bundle &bundle, const std::vector<uint32_t> &owners,
                const std::function<bool(uint32_t loop)> &isHeld);
  /// Holds the tables of a loop (counted from 1) and of the loops inside it.
  PrivateTables(const Bundle &bundle, const std::vector<uint32_t> &owners, uint32_t loop);

  uint64_t sizeBytes() const {
    return parts_.empty() ? 0 : parts_.back().at + parts_.back().end - parts_.back().begin;
  }
  /// Returns the place in a copy of the table at this offset of the work arena.
  uint64_t placeOf(uint64_t offsetBytes) const;

private:
  struct Part {
    uint64_t begin = 0, end = 0; ///< bytes of the work arena
    uint64_t at = 0;             ///< offset of `begin` in a copy
  };
  std::vector<Part> parts_; ///< ascending
};

} // namespace mpf
