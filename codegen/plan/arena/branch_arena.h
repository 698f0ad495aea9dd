// Assigns offsets so that memory makes no operation wait for another. An operation reuses only
// memory whose users it waits for anyway, because it reads their results. So memory follows the
// branches of the bucket tree. Where branches meet, the memory of all of them is available to the
// operation that joins them; where a branch parts, only to the first operation that starts.
// Computes offsets only; no memory is touched.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace mpf {

/// Assigns offsets for the operations of a program without loops. The calls follow its operations:
/// start(), then what each operation takes and frees. Deterministic. An allocation takes time
/// linear in the holes of its branch. Not thread-safe.
class BranchArena {
public:
  explicit BranchArena(size_t operations) : holes_(operations), heir_(operations) {}

  /// Starts `operation`, which reads results of `producers`, all of which started before.
  void start(size_t operation, std::span<const size_t> producers);
  /// Returns the offset of `sizeBytes` > 0 bytes at a multiple of `alignBytes` > 0, for a result of
  /// the operation that started last. No byte of it is in `apart` (offset, size). Takes the
  /// smallest hole of the branch that fits, the lowest among equals; without one, new memory at the
  /// end.
  uint64_t allocate(uint64_t sizeBytes, uint64_t alignBytes,
                    std::span<const std::pair<uint64_t, uint64_t>> apart);
  /// Frees a stretch whose last user is the operation that started last. Its branch may reuse the
  /// stretch if all other `users` came before it in the branch; otherwise no operation may.
  void release(uint64_t offsetBytes, uint64_t sizeBytes, std::span<const size_t> users);

  uint64_t highWaterBytes() const { return endBytes_; } ///< the size that the memory must have

private:
  struct Hole {
    uint64_t offset, size;
  };
  using Holes = std::vector<Hole>; ///< ascending; no two touch

  static void add(Holes &holes, const Hole &hole);
  /// The operation that owns the memory of `operation` now.
  size_t heirOf(size_t operation);

  std::vector<Holes> holes_; ///< by operation, until another one inherits them
  std::vector<size_t> heir_; ///< by operation that has started: itself, or the one that inherited
  size_t current_ = 0;       ///< the operation that began last
  uint64_t endBytes_ = 0;
};

} // namespace mpf
