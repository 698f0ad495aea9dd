#include "codegen/emit/lanes/lane_code_text.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

static uint32_t placeOf(const LaneKernel &kernel, uint32_t column) {
  const auto at = std::find(kernel.codeOrder.begin(), kernel.codeOrder.end(), column);
  MPF_CHECK(at != kernel.codeOrder.end(), "column {} has no place in a word", column);
  return static_cast<uint32_t>(at - kernel.codeOrder.begin());
}

uint64_t wordOf(const LaneKernel &kernel, uint32_t column) {
  return placeOf(kernel, column) / kernel.codesPerWord;
}

std::string laneCodeText(const LaneKernel &kernel, uint32_t column) {
  const uint32_t place = placeOf(kernel, column);
  const uint32_t word = place / kernel.codesPerWord, bits = 32 / kernel.codesPerWord;
  const uint32_t shift = place % kernel.codesPerWord * bits;
  if (bits == 32)
    return fmt::format("w{}", word);
  const std::string low =
      shift == 0 ? fmt::format("w{}", word) : fmt::format("w{} >> {}", word, shift);
  return shift + bits == 32 ? fmt::format("({})", low)
                            : fmt::format("({} & {}u)", low, (1u << bits) - 1);
}

std::string laneRowText(const LaneKernel &kernel, const LaneGather &gather,
                        const LaneImageTable &placed) {
  std::string place;
  for (const LaneCode &code : gather.codes)
    place +=
        fmt::format("{}{} * {}u", place.empty() ? "" : " + ", laneCodeText(kernel, code.column),
                    code.strideElems / placed.rowElems * placed.pitchElems);
  return fmt::format("{} + ({})", placed.offsetElems, place.empty() ? "0" : place);
}

} // namespace mpf
