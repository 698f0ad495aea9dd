// Assigns offsets so that memory makes no operation wait for another: an operation takes only
// memory whose users it waits for anyway, because it reads what they made. So memory follows the
// branches of the bucket tree. Where branches meet, the memory of all of them goes on; where one
// parts, to the first that asks. Computes offsets only; no memory is touched.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace mpf {

/// Of a program without loops. The calls follow its operations: start(), then what each takes and
/// frees. Deterministic. Time: the holes of the branch for each stretch that is taken. Not
/// thread-safe.
class BranchArena {
public:
  explicit BranchArena(size_t operations) : holes_(operations), heir_(operations) {}

  /// `operation` begins, and reads results of `producers`, all of which began before.
  void start(size_t operation, std::span<const size_t> producers);
  /// The offset of `sizeBytes` > 0 at a multiple of `alignBytes` > 0, for a result of the operation
  /// that began last; no byte of it is in `apart` (offset, size). The smallest hole of the branch
  /// that fits, the lowest among equals; without one, new memory at the end.
  uint64_t allocate(uint64_t sizeBytes, uint64_t alignBytes,
                    std::span<const std::pair<uint64_t, uint64_t>> apart);
  /// The operation that began last is the last one that uses this stretch. It is for its branch
  /// from now on if all other `users` came before it in the branch; else for none.
  void release(uint64_t offsetBytes, uint64_t sizeBytes, std::span<const size_t> users);

  uint64_t highWaterBytes() const { return endBytes_; } ///< the size that the memory must have

private:
  struct Hole {
    uint64_t offset, size;
  };
  using Holes = std::vector<Hole>; ///< ascending; no two touch

  static void add(Holes &holes, const Hole &hole);
  /// The operation that has the memory of `operation` by now.
  size_t heirOf(size_t operation);

  std::vector<Holes> holes_; ///< by operation, until another one inherits them
  std::vector<size_t> heir_; ///< by operation that has begun: itself, or who inherited from it
  size_t current_ = 0;       ///< the operation that began last
  uint64_t endBytes_ = 0;
};

} // namespace mpf
