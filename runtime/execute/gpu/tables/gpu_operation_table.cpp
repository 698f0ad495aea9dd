#include "runtime/execute/gpu/tables/gpu_operation_table.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"

namespace mpf {

namespace {

/// Returns the device's number of a reduction; logsum queries run as sums of log-form tables.
int32_t reduceCode(Reduce reduce) {
  switch (reduce) {
  case Reduce::Max:
    return 1;
  case Reduce::Min:
    return 2;
  case Reduce::Sum:
  case Reduce::LogSum:
    break;
  }
  return 0;
}

int32_t combineCode(Semiring semiring) { return addsPlainValues(semiring) ? 1 : 0; }

constexpr uint64_t kMostExtent = 64; ///< largest extent of a digit that can be split

/// Returns the extent of the last part of a digit that is split, or 0 to leave the digit whole.
/// Only the leading digit may end inside its last part, because no carry reaches another digit from
/// it.
uint64_t partOf(uint64_t extent, bool leads) {
  if (extent <= kMostExtent)
    return 0;
  for (uint64_t part = kMostExtent; part >= 2; --part)
    if (extent % part == 0)
      return part;
  return leads ? kMostExtent : 0;
}

/// Appends the digits [first, end) of an operation, split. Returns the number of appended digits.
int32_t appendDigits(const BundleOperation &operation, size_t first, size_t end,
                     std::vector<GpuDigit> &digits) {
  std::vector<GpuDigit> last; // in reverse order
  for (size_t d = end; d-- > first;) {
    GpuDigit digit;
    for (size_t i = 0; i < operation.operands.size(); ++i)
      digit.strideElems[i] = operation.operands[i].stridesElems[d];
    digit.strideElems[kTableResult] = operation.result.stridesElems[d];
    uint64_t extent = operation.digits[d].extent;
    while (const uint64_t part = partOf(extent, d == first)) {
      digit.extent = part;
      last.push_back(digit);
      for (uint64_t &stride : digit.strideElems)
        stride *= part;
      extent = ceilDivide(extent, part);
    }
    digit.extent = extent;
    if (extent > 1)
      last.push_back(digit);
  }
  for (GpuDigit &digit : last)
    digit.divisor = divisorOf(digit.extent);
  digits.insert(digits.end(), last.rbegin(), last.rend());
  return static_cast<int32_t>(last.size());
}

} // namespace

GpuOperationTable buildGpuOperationTable(const Bundle &bundle, const DeviceBuffers &buffers,
                                         uint64_t inputArena, uint64_t workArena) {
  GpuOperationTable result;
  result.entryBytes = elementBytes(bundle.type);
  const auto place = [&](const BundleAccess &access, GpuOperation &operation, size_t slot) {
    const BundleBuffer &buffer = bundle.buffer(access.buffer);
    const uint64_t arena = buffer.input ? inputArena : workArena;
    operation.table[slot] = arena + buffers.offsetBytes(access.buffer);
    operation.signs[slot] =
        bundle.signedValues && !buffer.packed ? arena + buffers.signOffsetBytes(access.buffer) : 0;
    operation.packed |= int32_t{buffer.packed} << slot;
    operation.state[slot] = static_cast<int32_t>(access.buffer.value);
  };
  for (const BundleOperation &source : bundle.operations) {
    MPF_CHECK(source.operands.size() <= kTableOperands, "operation {} has {} operands, at most {}",
              source.name, source.operands.size(), kTableOperands);
    GpuOperation operation;
    operation.keptAddresses = source.keptAddresses();
    operation.reducedAddresses = source.reducedAddresses();
    std::vector<GpuDigit> &digits = result.digits.emplace_back();
    operation.keptDigits = appendDigits(source, 0, source.keptCount(), digits);
    operation.reducedDigits =
        appendDigits(source, source.keptCount(), source.digits.size(), digits);
    operation.operandCount = static_cast<int32_t>(source.operands.size());
    for (size_t i = 0; i < source.operands.size(); ++i)
      place(source.operands[i], operation, i);
    place(source.result, operation, kTableResult);
    operation.reduce = reduceCode(source.semiring.reduce);
    operation.combine = combineCode(source.semiring);
    operation.termsLog2 = source.termsLog2();
    result.operations.push_back(operation);
    result.isSpecialised.push_back(source.kernel.has_value());
  }
  return result;
}

} // namespace mpf
