#include "runtime/execute/host/digit_loop.h"

namespace mpf {

LoopDigit loopDigit(const BundleOperation &operation, size_t digit) {
  LoopDigit loop{operation.digits[digit].extent, {}};
  for (size_t s = 0; s < operation.slotCount(); ++s)
    loop.strides[s] = operation.slot(s).stridesElems[digit];
  return loop;
}

std::vector<LoopDigit> loopDigits(std::span<const MapDigit> digits) {
  std::vector<LoopDigit> list;
  for (const MapDigit &digit : digits)
    list.push_back({digit.extent, {digit.strideElems}});
  return list;
}

LoopDigit piecesOf(LoopDigit digit, uint64_t extent, uint64_t step) {
  digit.extent = extent;
  for (uint64_t &stride : digit.strides)
    stride *= step;
  return digit;
}

EvenRun evenRun(std::span<const LoopDigit> digits, size_t slot) {
  EvenRun run;
  if (digits.empty())
    return run;
  run.step = digits.back().strides[slot];
  for (size_t d = digits.size(); d-- > 0 && digits[d].strides[slot] == run.step * run.count;)
    run.count *= digits[d].extent;
  return run;
}

void fillOffsets(std::span<const LoopDigit> digits, size_t slot, uint64_t *offsets) {
  // Each digit repeats the offsets of the faster digits.
  uint64_t filled = 1;
  offsets[0] = 0;
  for (size_t d = digits.size(); d-- > 0;) {
    const LoopDigit &digit = digits[d];
    for (uint64_t i = filled; i < filled * digit.extent; ++i)
      offsets[i] = offsets[i - filled] + digit.strides[slot];
    filled *= digit.extent;
  }
}

} // namespace mpf
