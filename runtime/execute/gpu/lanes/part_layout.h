// Where the tables of a part of a block lie, in the memory of its slot on the host and on the
// device alike, so that all that goes up is one copy, and all that comes down another:
//
//   codes, or rows | weights | refused | results | exponents | states
//   |------------- up ---------------->|
//                            |----------------- down --------------->|
//
// `refused` says whether the device found bytes in rows that are no codes: it goes up as 0, and
// comes down with the answers.
#pragma once

#include <cstdint>

namespace mpf {

/// Bytes that one case takes in each of a kernel's tables.
struct LaneCaseSize {
  uint64_t codeBytes = 0, weightBytes = 0, resultBytes = 0, exponentBytes = 0, stateBytes = 0;

  uint64_t answerBytes() const { return resultBytes + exponentBytes + stateBytes; }
  uint64_t sum() const { return codeBytes + weightBytes + answerBytes(); }
};

/// Offsets in bytes, each a multiple of 256, which is what memory of the driver is aligned to.
struct PartLayout {
  /// For `count` cases. `rowBytes`: of all of their rows, which the device turns into codes; 0:
  /// the codes go up.
  static PartLayout of(const LaneCaseSize &size, uint32_t count, uint64_t rowBytes);

  uint64_t upBytes() const { return refused + sizeof(uint32_t); }
  uint64_t downBytes() const { return sizeBytes - refused; }

  uint64_t pitch = 0; ///< places for cases: whole sectors for every row of words
  uint64_t weights = 0, refused = 0, results = 0, exponents = 0, states = 0;
  uint64_t sizeBytes = 0;
  uint64_t wordBytes = 0; ///< beside it on the device: the codes of rows
};

} // namespace mpf
