#include "runtime/execute/gpu/tables/task_shape.h"

#include "dsl/support/counts.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace mpf {

namespace {

/// Returns the lines of an operand that the outputs of a warp read at a time: a row of terms for
/// each output with a separate row. Only if neighbouring terms are adjacent in the operand;
/// otherwise 0.
double termLinesOfWarp(const GpuOperation &operation, const std::vector<GpuDigit> &digits,
                       size_t slot, double entryBytes) {
  constexpr double kLineBytes = 128, kWarp = 32;
  if (digits.back().strideElems[slot] != 1)
    return 0;
  double outputs = 1, rows = 1;
  for (auto d = static_cast<size_t>(operation.keptDigits); d-- > 0 && outputs < kWarp;) {
    const double extent = std::min(static_cast<double>(digits[d].extent), kWarp / outputs);
    outputs *= extent;
    rows *= digits[d].strideElems[slot] != 0 ? extent : 1.0;
  }
  return rows * std::min(1.0, static_cast<double>(digits.back().extent) * entryBytes / kLineBytes);
}

} // namespace

GpuAddressParts fewestRows(std::span<const GpuDigit> digits, const AddressRange &range) {
  GpuAddressParts best{1, {}, 0, 0, 1}; // the division without digits
  uint64_t fewest = std::numeric_limits<uint64_t>::max(), lows = 1;
  for (size_t count = 1; count <= digits.size() && lows < range.end; ++count) {
    lows = saturatingMul(lows, digits[digits.size() - count].extent);
    if (lows >= kMostDivided)
      break;
    const bool all = lows >= range.end;
    const uint64_t firstHigh = range.first / lows, highs = (range.end - 1) / lows - firstHigh + 1;
    if (lows + highs >= fewest)
      continue;
    fewest = lows + highs;
    best = {static_cast<uint32_t>(lows), all ? GpuDivisor() : divisorOf(lows),
            static_cast<int32_t>(count), static_cast<uint32_t>(firstHigh),
            static_cast<uint32_t>(highs)};
  }
  return best;
}

bool fitsWords(const GpuOperation &operation, const std::vector<GpuDigit> &digits) {
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  for (size_t slot = 0; slot < kTableOperands + 1; ++slot) {
    uint64_t last = 0;
    for (const GpuDigit &digit : digits)
      last = saturatingAdd(last, saturatingMul(digit.extent - 1, digit.strideElems[slot]));
    if (last > kMost)
      return false;
  }
  return operation.keptAddresses <= kMostDivided && operation.reducedAddresses <= kMostDivided;
}

bool standsInOrder(const GpuOperation &operation, std::span<const GpuDigit> digits) {
  uint64_t stride = 1;
  for (auto d = static_cast<size_t>(operation.keptDigits); d-- > 0;) {
    if (digits[d].strideElems[kTableResult] != stride)
      return false;
    stride = saturatingMul(stride, digits[d].extent);
  }
  return true;
}

uint64_t lanesForLines(const GpuOperation &operation, const std::vector<GpuDigit> &digits,
                       double entryBytes) {
  constexpr double kCachedLines = 64; // lines of each resident warp: 128 KiB together
  if (operation.reducedDigits == 0)
    return 1;
  double lines = 0;
  for (size_t i = 0; i < static_cast<size_t>(operation.operandCount); ++i)
    lines += termLinesOfWarp(operation, digits, i, entryBytes);
  return lines <= kCachedLines
             ? 1
             : std::clamp<uint64_t>(std::bit_floor(digits.back().extent) / 2, 1, 32);
}

} // namespace mpf
