// The codes of one strip's cases, by column. Kernels read the codes of all lanes, so the last strip
// of a block is copied and filled up.
#pragma once

#include "dsl/support/cases/case_block.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

class StripCodes {
public:
  StripCodes(size_t columns, size_t lanes)
      : lanes_(lanes), columns_(columns), filled_(bytes(columns, lanes)) {}

  /// Returns the memory of an object.
  static size_t bytes(size_t columns, size_t lanes) { return columns * lanes * sizeof(uint32_t); }

  /// Takes the codes of `count` cases from `first` on, at most one for each lane. The block must
  /// outlive the use.
  void take(const CaseBlock &block, uint32_t first, uint32_t count);
  const std::byte *column(size_t column) const { return columns_[column]; }
  const std::byte *const *columns() const { return columns_.data(); }

private:
  size_t lanes_;
  std::vector<const std::byte *> columns_;
  std::vector<std::byte> filled_;
};

} // namespace mpf
