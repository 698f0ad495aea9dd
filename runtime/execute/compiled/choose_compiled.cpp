#include "runtime/execute/compiled/choose_compiled.h"

#include "runtime/execute/compiled/compiled_cost.h"
#include "runtime/execute/compiled/compiled_text.h"
#include "runtime/execute/compiled/plan_compiled.h"
#include "runtime/execute/cpu/prepare_operation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace mpf {

namespace {

/// One thread: the choice does not depend on their number.
TileTarget tileTargetHere(ElementType type) {
  return type == ElementType::F32 ? tileTarget(cpuKernels<float>(), 1)
                                  : tileTarget(cpuKernels<double>(), 1);
}

} // namespace

bool mayBeCompiled(const Bundle &bundle, size_t index) {
  return !isIntegerType(bundle.type) && !bundle.forcedLog && !bundle.operations[index].accumulates;
}

std::vector<CompiledChoice> chooseCompiled(const Bundle &bundle, double expectedRuns) {
  constexpr double kMostShared = 16; // operations of one shape that pay together
  constexpr double kLeastRatio = 1.1;
  constexpr double kSlowestUs = 0.005; // of one operand and address, about
  if (expectedRuns <= 0)
    return {};
  const TileTarget tile = tileTargetHere(bundle.type);
  const bool all = std::isinf(expectedRuns);
  const std::vector<double> turns = bundle.loopRuns();
  std::map<std::string, size_t> known;
  std::vector<CompiledChoice> candidates;
  for (size_t i = 0; i < bundle.operations.size(); ++i) {
    if (!mayBeCompiled(bundle, i))
      continue;
    const BundleOperation &operation = bundle.operations[i];
    const double runs = turns[operation.loop] * expectedRuns;
    const double loads =
        static_cast<double>(operation.operands.size()) * operation.addressesApproximately();
    if (!all && loads * kSlowestUs * runs < cppCompileUs(0) / kMostShared)
      continue;
    const CpuOperation prepared = prepareOperation(operation, bundle.logInputs, tile);
    const double builtInUs = builtInTimeNs(prepared) * 1e-3;
    const CompiledKernelPlan plan = planCompiled(prepared, bundle.type);
    // Predictions err: a gain that is small may be none.
    const double gainUs = builtInUs - kLeastRatio * plan.timeNs * 1e-3;
    if (!all && gainUs <= 0)
      continue;
    const CompiledText text = writeCompiledText(plan);
    const auto [at, isNew] = known.try_emplace(text.name, candidates.size());
    if (isNew) {
      std::string source = compiledSource(text);
      const double compileUs = cppCompileUs(source.size());
      candidates.push_back({.name = text.name,
                            .source = std::move(source),
                            .pieces = plan.pieceCount(),
                            .compileUs = compileUs,
                            .timeUs = plan.timeNs * 1e-3,
                            .operations = {}});
    }
    CompiledChoice &choice = candidates[at->second];
    choice.savedUs += std::max(0.0, builtInUs - plan.timeNs * 1e-3) * turns[operation.loop];
    choice.gainUs += all ? choice.compileUs : gainUs * runs;
    choice.operations.push_back(i);
  }
  std::erase_if(candidates, [](const CompiledChoice &candidate) {
    return candidate.gainUs < candidate.compileUs;
  });
  return candidates;
}

} // namespace mpf
