#include "runtime/execute/compiled/compiled_kernel_plan.h"

#include <algorithm>

namespace mpf {

uint64_t CompiledKernelPlan::offsetOf(std::span<const LoopDigit> digits, size_t slot,
                                      uint64_t address) {
  uint64_t offset = 0;
  for (size_t d = digits.size(); d-- > 0; address /= digits[d].extent)
    offset += address % digits[d].extent * digits[d].strides[slot];
  return offset;
}

bool CompiledKernelPlan::moves(std::span<const LoopDigit> digits, size_t slot) {
  return std::any_of(digits.begin(), digits.end(),
                     [slot](const LoopDigit &digit) { return digit.strides[slot] != 0; });
}

} // namespace mpf
