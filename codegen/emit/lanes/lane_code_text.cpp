#include "codegen/emit/lanes/lane_code_text.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

std::string laneCodeText(const LaneKernel &kernel, uint32_t column) {
  const auto at = std::find(kernel.codeOrder.begin(), kernel.codeOrder.end(), column);
  MPF_CHECK(at != kernel.codeOrder.end(), "column {} has no place in a word", column);
  const auto place = static_cast<uint32_t>(at - kernel.codeOrder.begin());
  const uint32_t word = place / kernel.codesPerWord, bits = 32 / kernel.codesPerWord;
  const uint32_t shift = place % kernel.codesPerWord * bits;
  if (bits == 32)
    return fmt::format("w{}", word);
  const std::string low =
      shift == 0 ? fmt::format("w{}", word) : fmt::format("w{} >> {}", word, shift);
  return shift + bits == 32 ? fmt::format("({})", low)
                            : fmt::format("({} & {}u)", low, (1u << bits) - 1);
}

} // namespace mpf
