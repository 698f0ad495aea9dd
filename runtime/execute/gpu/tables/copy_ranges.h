// Chooses the bytes of an arena that one copy between host and device contains. Even a small copy
// costs some 2 us, so tables that are close are copied together, with the bytes between them.
#pragma once

#include <cstdint>
#include <vector>

namespace mpf {

struct CopyRange {
  uint64_t firstBytes = 0, sizeBytes = 0;
  uint64_t endBytes() const { return firstBytes + sizeBytes; }
  friend bool operator==(const CopyRange &, const CopyRange &) = default;
};

/// Bytes whose copy, at some 25 GB/s, takes as long as starting a separate copy.
inline constexpr uint64_t kCopyGapBytes = uint64_t{48} << 10;

/// Returns the ranges in order, and joins those with at most `gapBytes` between them. The given
/// ranges may overlap.
std::vector<CopyRange> joinRanges(std::vector<CopyRange> ranges, uint64_t gapBytes = kCopyGapBytes);

/// The places of parts of an arena in a packed image of these parts.
class ArenaImage {
public:
  ArenaImage() = default;
  /// `ranges`: a result of joinRanges.
  explicit ArenaImage(std::vector<CopyRange> ranges);

  struct Part {
    CopyRange range;      ///< range of the arena
    uint64_t atBytes = 0; ///< offset in the image
  };
  const std::vector<Part> &parts() const { return parts_; }
  uint64_t sizeBytes() const { return sizeBytes_; }
  /// Returns the offset in the image of a byte of the arena, which must be in one of the parts.
  uint64_t placeOf(uint64_t arenaBytes) const;

private:
  std::vector<Part> parts_;
  uint64_t sizeBytes_ = 0;
};

} // namespace mpf
