#include "codegen/specialise/chain_kernels.h"

#include "codegen/kernel/build_kernel.h"
#include "codegen/plan/program/planning_budget.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/specialise/bundle_kernel.h"
#include "codegen/specialise/kernel_choice.h"
#include "codegen/specialise/specialise_options.h"

#include <algorithm>
#include <map>
#include <string>

namespace mpf {

std::optional<KernelPlan> chooseChain(const TableProgram &program, const ProgramChain &chain,
                                      const std::vector<bool> &suits, const KernelOptions &options,
                                      double operationsUs, const KernelRuns &runs) {
  const std::vector<OpId> operations = chain.operations();
  if (!std::ranges::all_of(operations, [&suits](OpId id) { return suits[id.index()]; }))
    return std::nullopt;
  const std::optional<ChainForm> form = findChainForm(program, chain.message, operations);
  if (!form || operationsUs * runs.compiling < kKernelGainUs ||
      !questionPays(kChainPlanUs, operationsUs, runs.planning))
    return std::nullopt;
  std::vector<KernelPlan> plans = buildKernels(*form, options, 1);
  if (plans.empty() || !deservesKernel(operationsUs, plans.front().header(), runs.compiling))
    return std::nullopt;
  return std::move(plans.front());
}

void addChainKernels(Bundle &bundle, const TableProgram &program, const SpecialiseOptions &options,
                     const std::vector<bool> &suits, const std::vector<double> &timesUs) {
  const KernelOptions kernelOptions = kernelOptionsFor(options, bundle.type, bundle.forcedLog);
  std::vector<uint32_t> numberOf(program.operations.size(), 0); // index in the bundle
  uint32_t count = 0;
  for (const OpId id : operationsRun(program))
    numberOf[id.index()] = count++;
  std::map<std::string, uint32_t> known; // kernel name (content hash) -> index
  for (const ProgramChain &chain : program.chains) {
    double operationsUs = 0;
    for (const OpId id : chain.operations())
      operationsUs += timesUs[id.index()];
    const auto plan =
        chooseChain(program, chain, suits, kernelOptions, operationsUs, options.kernelRuns());
    if (!plan)
      continue;
    const auto [at, isNew] =
        known.try_emplace(plan->header().name, static_cast<uint32_t>(bundle.kernels.size()));
    if (isNew)
      bundle.kernels.push_back(bundleKernel(*plan));
    const auto &operands = program.operation(chain.first).operands;
    const auto message = std::find(operands.begin(), operands.end(), chain.message);
    bundle.chains.push_back({numberOf[chain.first.index()], chain.count,
                             static_cast<uint32_t>(message - operands.begin()), at->second});
  }
}

} // namespace mpf
