#include "runtime/execute/compiled/choose_compiled.h"

#include "dsl/support/hash.h"
#include "runtime/execute/compiled/compiled_cost.h"
#include "runtime/execute/compiled/compiled_text.h"
#include "runtime/execute/compiled/plan_compiled.h"
#include "runtime/execute/cpu/prepare_operation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace mpf {

namespace {

/// Returns the target for one thread: the choice does not depend on the number of threads.
TileTarget tileTargetHere(ElementType type) {
  return type == ElementType::F32 ? tileTarget(cpuKernels<float>(), 1)
                                  : tileTarget(cpuKernels<double>(), 1);
}

void addDigits(HashBuilder &hash, std::span<const LoopDigit> digits) {
  hash.add(digits.size());
  for (const LoopDigit &digit : digits) {
    hash.add(digit.extent);
    for (const uint64_t stride : digit.strides)
      hash.add(stride);
  }
}

/// Returns a hash of all that the kernel's text depends on.
std::string shapeOf(const CompiledKernelPlan &plan) {
  HashBuilder hash;
  hash.add(static_cast<uint64_t>(plan.semiring)).add(static_cast<uint64_t>(plan.type));
  hash.add(plan.operandCount).add(plan.blockLanes).add(plan.pieceLanes).add(plan.innerCopies);
  for (const std::vector<LoopDigit> *digits :
       {&plan.pieces, &plan.outer, &plan.lanes, &plan.sums, &plan.terms})
    addDigits(hash, *digits);
  addDigits(hash, {&plan.inner, 1});
  return hash.finish().hex();
}

/// The operations of one shape.
struct Candidate {
  CompiledKernelPlan plan;
  double gainUs = 0, savedUs = 0; ///< as in CompiledChoice
  std::vector<size_t> operations;
};

/// Returns the candidates in the order of their first operations.
std::vector<Candidate> candidatesOf(const Bundle &bundle, double expectedRuns) {
  constexpr double kMostShared = 16; // most operations of one shape that share the cost
  constexpr double kLeastRatio = 1.1;
  constexpr double kSlowestUs = 0.005; // estimated time of one operand and address
  const TileTarget tile = tileTargetHere(bundle.type);
  const bool all = std::isinf(expectedRuns);
  const std::vector<double> turns = bundle.loopRuns();
  std::map<std::string, size_t> known;
  std::vector<Candidate> candidates;
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
    CompiledKernelPlan plan = planCompiled(prepared, bundle.type);
    const double timeUs = plan.timeNs * 1e-3;
    // kLeastRatio: predictions err, so a small gain may be none.
    const double gainUs = builtInUs - kLeastRatio * timeUs;
    if (!all && gainUs <= 0)
      continue;
    const auto [at, isNew] = known.try_emplace(shapeOf(plan), candidates.size());
    if (isNew)
      candidates.push_back({std::move(plan), 0, 0, {}});
    Candidate &candidate = candidates[at->second];
    candidate.savedUs += std::max(0.0, builtInUs - timeUs) * turns[operation.loop];
    candidate.gainUs += all ? std::numeric_limits<double>::infinity() : gainUs * runs;
    candidate.operations.push_back(i);
  }
  return candidates;
}

} // namespace

bool mayBeCompiled(const Bundle &bundle, size_t index) {
  return !isIntegerType(bundle.type) && !bundle.forcedLog && !bundle.operations[index].accumulates;
}

std::vector<CompiledChoice> chooseCompiled(const Bundle &bundle, double expectedRuns) {
  if (expectedRuns <= 0)
    return {};
  std::map<std::string, size_t> known; // different shapes may have equal texts
  std::vector<CompiledChoice> choices;
  for (Candidate &candidate : candidatesOf(bundle, expectedRuns)) {
    if (candidate.gainUs < cppCompileUs(0)) // saves writing the text, the slowest part
      continue;
    const CompiledText text = writeCompiledText(candidate.plan);
    const auto [at, isNew] = known.try_emplace(text.name, choices.size());
    if (isNew) {
      std::string source = compiledSource(text);
      const double compileUs = cppCompileUs(source.size());
      choices.push_back({.name = text.name,
                         .source = std::move(source),
                         .pieces = candidate.plan.pieceCount(),
                         .compileUs = compileUs,
                         .timeUs = candidate.plan.timeNs * 1e-3,
                         .operations = {}});
    }
    CompiledChoice &choice = choices[at->second];
    choice.savedUs += candidate.savedUs;
    choice.gainUs += candidate.gainUs;
    choice.operations.insert(choice.operations.end(), candidate.operations.begin(),
                             candidate.operations.end());
    std::ranges::sort(choice.operations);
  }
  std::erase_if(choices,
                [](const CompiledChoice &choice) { return choice.gainUs < choice.compileUs; });
  return choices;
}

} // namespace mpf
