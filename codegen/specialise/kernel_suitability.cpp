#include "codegen/specialise/kernel_suitability.h"

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/storage_order.h"

#include <algorithm>

namespace mpf {

bool slicesAreAligned(std::span<const uint64_t> sliceStridesElems, ElementType type) {
  constexpr uint64_t kWidestLoadBytes = 16;
  return std::ranges::all_of(sliceStridesElems, [type](uint64_t stride) {
    return stride * elementBytes(type) % kWidestLoadBytes == 0;
  });
}

std::vector<bool> suitsKernels(const TableProgram &program, ElementType type) {
  const SliceLevels levels(program);
  std::vector<bool> suits(program.operations.size(), true);
  if (levels.count() == 0)
    return suits;
  for (size_t i = 0; i < suits.size(); ++i) {
    const Operation &operation = program.operations[i];
    suits[i] = !levels.accumulates(operation) &&
               std::ranges::all_of(operation.operands, [&](TableId operand) {
                 return slicesAreAligned(sliceStridesElems(program, levels, operand), type);
               });
  }
  return suits;
}

} // namespace mpf
