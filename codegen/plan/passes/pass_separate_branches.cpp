#include "codegen/plan/passes/pass_separate_branches.h"

#include "codegen/plan/program/slice_levels.h"

#include <algorithm>

namespace mpf {

void passSeparateBranches(TableProgram &program, const MemoryLimit &limit, DeviceCosts *costs) {
  if (program.separateBranches || SliceLevels(program).count() > 0)
    return;
  const auto peakBytes = [&] {
    return planMemory(program, limit.type, limit.signedValues).peakBytes;
  };
  const uint64_t least = peakBytes();
  if (least == UINT64_MAX)
    return;
  program.separateBranches = true;
  const uint64_t most =
      least > UINT64_MAX / kMostBranchMemory ? UINT64_MAX - 1 : least * kMostBranchMemory;
  const uint64_t separate = peakBytes();
  const auto leavesCache = [&] { // asked last: it may open the GPU
    return costs != nullptr && least <= costs->cacheBytes() && separate > costs->cacheBytes() &&
           costs->storesForGpu();
  };
  program.separateBranches = separate <= std::min(limit.bytes, most) && !leavesCache();
}

} // namespace mpf
