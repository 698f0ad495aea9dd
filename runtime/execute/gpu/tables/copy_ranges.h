// Which bytes of an arena a copy between host and device takes along. A copy costs some 2 us
// however small it is, so tables that lie near each other go together, with what lies between them.
#pragma once

#include <cstdint>
#include <vector>

namespace mpf {

struct CopyRange {
  uint64_t firstBytes = 0, sizeBytes = 0;
  uint64_t endBytes() const { return firstBytes + sizeBytes; }
  friend bool operator==(const CopyRange &, const CopyRange &) = default;
};

/// Bytes that take as long as a copy of their own begins, at some 25 GB/s.
inline constexpr uint64_t kCopyGapBytes = uint64_t{48} << 10;

/// The ranges in order, those with at most `gapBytes` between them as one. They may overlap.
std::vector<CopyRange> joinRanges(std::vector<CopyRange> ranges, uint64_t gapBytes = kCopyGapBytes);

/// Where parts of an arena lie in an image of them, packed one behind the other.
class ArenaImage {
public:
  ArenaImage() = default;
  /// `ranges`: as joinRanges gives them.
  explicit ArenaImage(std::vector<CopyRange> ranges);

  struct Part {
    CopyRange range;      ///< of the arena
    uint64_t atBytes = 0; ///< in the image
  };
  const std::vector<Part> &parts() const { return parts_; }
  uint64_t sizeBytes() const { return sizeBytes_; }
  /// Where a byte of the arena lies in the image. It must be in one of the parts.
  uint64_t placeOf(uint64_t arenaBytes) const;

private:
  std::vector<Part> parts_;
  uint64_t sizeBytes_ = 0;
};

} // namespace mpf
