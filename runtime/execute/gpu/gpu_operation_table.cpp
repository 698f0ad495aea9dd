#include "runtime/execute/gpu/gpu_operation_table.h"

#include "dsl/support/check.h"

namespace mpf {

namespace {

/// The device's numbers of the reductions; logsum queries run as sums of log-form tables.
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

GpuDigit gpuDigit(const BundleOperation &operation, size_t digit) {
  GpuDigit device;
  device.extent = operation.digits[digit].extent;
  for (size_t i = 0; i < operation.operands.size(); ++i)
    device.strideElems[i] = operation.operands[i].stridesElems[digit];
  device.strideElems[kTableResult] = operation.result.stridesElems[digit];
  return device;
}

} // namespace

GpuOperationTable buildGpuOperationTable(const Bundle &bundle, const DeviceBuffers &buffers,
                                         uint64_t inputArena, uint64_t workArena) {
  GpuOperationTable result;
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
    operation.keptDigits = static_cast<int32_t>(source.keptCount());
    operation.reducedDigits = static_cast<int32_t>(source.digits.size()) - operation.keptDigits;
    std::vector<GpuDigit> &digits = result.digits.emplace_back();
    for (size_t d = 0; d < source.digits.size(); ++d)
      digits.push_back(gpuDigit(source, d));
    operation.operandCount = static_cast<int32_t>(source.operands.size());
    for (size_t i = 0; i < source.operands.size(); ++i)
      place(source.operands[i], operation, i);
    place(source.result, operation, kTableResult);
    operation.reduce = reduceCode(source.semiring.reduce);
    operation.combine = combineCode(source.semiring);
    operation.termsLog2 = source.termsLog2();
    result.operations.push_back(operation);
  }
  return result;
}

} // namespace mpf
