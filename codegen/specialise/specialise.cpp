#include "codegen/specialise/specialise.h"

#include "codegen/bundle/table_driven_shape.h"
#include "codegen/emit/table_driven_source.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/specialise/bundle_kernel.h"
#include "codegen/specialise/chain_kernels.h"
#include "codegen/specialise/kernel_choice.h"
#include "codegen/specialise/tuning_candidates.h"
#include "codegen/specialise/verify_kernels.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <map>

namespace mpf {

void addTableDrivenKernels(Bundle &bundle) {
  BundleKernel tableDriven;
  tableDriven.name = tableDrivenName(bundle.type, bundle.packs());
  tableDriven.source = tableDrivenSource(bundle.type, bundle.packs());
  tableDriven.blockThreads = kTableDrivenThreads;
  bundle.tableDriven = static_cast<uint32_t>(bundle.kernels.size());
  bundle.kernels.push_back(std::move(tableDriven));
}

void addGpuKernels(Bundle &bundle, const TableProgram &program, const SpecialiseOptions &options,
                   PlannedKernels *planned) {
  const std::vector<OpId> run = operationsRun(program);
  MPF_CHECK(bundle.operations.size() == run.size(), "bundle of {} operations, program of {}",
            bundle.operations.size(), run.size());
  addTableDrivenKernels(bundle);
  // Log tables of signed values carry signs, which only the table-driven kernels handle.
  if (bundle.forcedLog && bundle.signedValues)
    return;
  const KernelOptions kernelOptions = kernelOptionsFor(options, bundle.type, bundle.forcedLog);
  const std::vector<KernelChoice> choices =
      chooseKernels(program, run, kernelOptions, options.kernelRuns(), options.threads, planned);
  std::vector<bool> suits(program.operations.size(), false);
  std::vector<double> timesUs(program.operations.size(), 0);
  for (size_t i = 0; i < run.size(); ++i) {
    suits[run[i].index()] = choices[i].suitsKernels;
    timesUs[run[i].index()] = choices[i].timeUs();
  }
  addChainKernels(bundle, program, options, suits, timesUs);
  std::vector<bool> inChain(run.size(), false);
  if (!keepsSpecialisedKernels(bundle.type))
    for (const BundleChain &chain : bundle.chains)
      std::fill_n(inChain.begin() + chain.first, chain.count, true);
  std::map<std::string, uint32_t> known; // kernel name (content hash) -> index
  for (size_t i = 0; i < run.size(); ++i) {
    if (!choices[i].kernel || inChain[i])
      continue;
    const KernelPlan &plan = *choices[i].kernel;
    const auto [at, isNew] =
        known.try_emplace(plan.header().name, static_cast<uint32_t>(bundle.kernels.size()));
    if (isNew)
      bundle.kernels.push_back(bundleKernel(plan));
    bundle.operations[i].kernel = at->second;
  }
  if (!options.tuner)
    return;
  const std::vector<BundleKernel> chosen = bundle.kernels;
  options.tuner(bundle, findTuningCandidates(bundle, program, kernelOptions, options));
  keepVerifiedKernels(bundle, chosen); // the cache may come from an earlier version
}

} // namespace mpf
