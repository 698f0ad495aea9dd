#include "runtime/execute/lanes/strip_codes.h"

#include <algorithm>

namespace mpf {

void StripCodes::take(const CaseBlock &block, uint32_t first, uint32_t count) {
  const unsigned width = block.codeBytes();
  for (size_t column = 0; column < columns_.size(); ++column) {
    const std::byte *const given = block.column(column) + size_t{first} * width;
    columns_[column] = given;
    if (count == lanes_)
      continue;
    std::byte *const filled = filled_.data() + column * lanes_ * sizeof(uint32_t);
    std::fill_n(filled, lanes_ * width, std::byte{0});
    std::copy_n(given, count * width, filled);
    columns_[column] = filled;
  }
}

} // namespace mpf
