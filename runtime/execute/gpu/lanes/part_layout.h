// The layout of a part of a block in the memory of its slot, equal on the host and on the device.
// All uploads are one copy, and all downloads another:
//
//   codes, or rows | weights | refused | results | exponents | states
//   |------------- up ---------------->|
//                            |----------------- down --------------->|
//
// `refused` is a flag: the device found bytes in rows that are no codes. It is uploaded as 0 and
// downloaded with the answers.
#pragma once

#include <cstdint>

namespace mpf {

/// Bytes of one case in each of a kernel's tables.
struct LaneCaseSize {
  uint64_t codeBytes = 0, weightBytes = 0, resultBytes = 0, exponentBytes = 0, stateBytes = 0;

  uint64_t answerBytes() const { return resultBytes + exponentBytes + stateBytes; }
  uint64_t sum() const { return codeBytes + weightBytes + answerBytes(); }
};

/// Offsets in bytes, each a multiple of 256, the alignment of the driver's memory.
struct PartLayout {
  /// Returns the layout of `count` cases. `rowBytes`: the bytes of their rows, which the device
  /// converts to codes; 0: codes are uploaded.
  static PartLayout of(const LaneCaseSize &size, uint32_t count, uint64_t rowBytes);

  uint64_t upBytes() const { return refused + sizeof(uint32_t); }
  uint64_t downBytes() const { return sizeBytes - refused; }

  uint64_t pitch = 0; ///< places for cases: rows of words consist of whole sectors
  uint64_t weights = 0, refused = 0, results = 0, exponents = 0, states = 0;
  uint64_t sizeBytes = 0;
  uint64_t wordBytes = 0; ///< separate device memory for the codes of rows
};

} // namespace mpf
