#include "codegen/plan/passes/pass_separate_branches.h"

#include "codegen/plan/program/planning_budget.h"
#include "codegen/plan/program/slice_levels.h"

#include <algorithm>

namespace mpf {

namespace {

/// The price of two predictions of a program, for each operation.
constexpr double kTwoPredictionsUs = 8;

/// Returns the time that separate branches are predicted to save in one run.
double predictedGainUs(TableProgram &program, const BranchTerms &terms) {
  program.separateBranches = false;
  const double sharedUs = terms.programUs(program);
  program.separateBranches = true;
  return sharedUs - terms.programUs(program);
}

} // namespace

void passSeparateBranches(TableProgram &program, const BranchTerms &terms, DeviceCosts *gpu) {
  if (program.separateBranches || SliceLevels(program).count() > 0)
    return;
  const auto peakBytes = [&] {
    return planMemory(program, terms.limit.type, terms.limit.signedValues).peakBytes;
  };
  const uint64_t least = terms.peakBytes ? *terms.peakBytes : peakBytes();
  if (least == UINT64_MAX)
    return;
  program.separateBranches = true;
  const uint64_t most =
      least > UINT64_MAX / kMostBranchMemory ? UINT64_MAX - 1 : least * kMostBranchMemory;
  const uint64_t separate = peakBytes();
  const auto touchUs = [&terms](uint64_t bytes) {
    return terms.costs.touchUs(static_cast<double>(bytes));
  };
  const auto pays = [&] {
    const double pagesUs = touchUs(separate) - touchUs(least), runs = terms.costs.expectedRuns;
    if (!questionPays(pagesUs, terms.mostGainUs, runs))
      return false;
    const auto operations = static_cast<double>(program.operations.size());
    return !terms.programUs || !questionPays(kTwoPredictionsUs * operations, pagesUs, 1) ||
           pagesUs < predictedGainUs(program, terms) * runs;
  };
  const auto leavesCache = [&] { // asked last: it may open the GPU
    return gpu != nullptr && least <= gpu->cacheBytes() && separate > gpu->cacheBytes() &&
           gpu->storesForGpu();
  };
  program.separateBranches =
      separate <= std::min(terms.limit.bytes, most) && pays() && !leavesCache();
}

} // namespace mpf
