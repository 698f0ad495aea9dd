#include "codegen/specialise/tuning_candidates.h"

#include "codegen/emit/chain/emit_chain.h"
#include "codegen/emit/emit_cuda.h"
#include "codegen/kernel/build/build_chain.h"
#include "codegen/kernel/build/build_kernel.h"
#include "codegen/kernel/text/print_chain.h"
#include "codegen/kernel/text/print_kernel.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/specialise/bundle_kernel.h"
#include "codegen/specialise/kernel_choice.h"
#include "codegen/specialise/specialise_options.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <map>

namespace mpf {

namespace {

/// What one kernel serves: operations of the bundle, or chains.
struct KernelUse {
  OpId first;                          ///< the first operation
  const ProgramChain *chain = nullptr; ///< the first chain; null: single operations
  size_t count = 0;
};

std::map<uint32_t, KernelUse> usesOf(const Bundle &bundle, const TableProgram &program) {
  const std::vector<OpId> run = operationsRun(program);
  MPF_CHECK(bundle.operations.size() == run.size(), "bundle of {} operations, program of {}",
            bundle.operations.size(), run.size());
  std::map<uint32_t, KernelUse> uses;
  for (size_t i = 0; i < run.size(); ++i)
    if (const auto kernel = bundle.operations[i].kernel)
      ++uses.try_emplace(*kernel, KernelUse{run[i], nullptr, 0}).first->second.count;
  for (const BundleChain &chain : bundle.chains) {
    const OpId first = run[chain.first];
    const auto planned =
        std::find_if(program.chains.begin(), program.chains.end(),
                     [first](const ProgramChain &other) { return other.first == first; });
    MPF_CHECK(planned != program.chains.end(), "no chain of the program starts at operation {}",
              first.value);
    ++uses.try_emplace(chain.kernel, KernelUse{first, &*planned, 0}).first->second.count;
  }
  return uses;
}

/// All but the first of `plans`, as many as can repay.
template <class Plan, class Emit>
std::vector<BundleKernel> worthOf(const std::vector<Plan> &plans, double runs, const Emit &emit) {
  const Plan &first = plans.front();
  const size_t most = candidatesThatPay(first.predictedUs, first.floorUs, runs, plans.size() - 1);
  std::vector<BundleKernel> candidates;
  for (size_t i = 1; i <= most; ++i)
    candidates.push_back(emit(plans[i]));
  return candidates;
}

std::vector<BundleKernel> candidatesOf(const KernelUse &use, const BundleKernel &kernel,
                                       const TableProgram &program,
                                       const KernelOptions &kernelOptions,
                                       const SpecialiseOptions &options) {
  const double runs = options.expectedRuns * static_cast<double>(use.count);
  const auto checkFirst = [&](const std::string &name) {
    MPF_CHECK(name == kernel.name, "kernel {} is planned once more as {}", kernel.name, name);
  };
  if (use.chain == nullptr) {
    const auto plans =
        buildKernels(kernelForm(program, use.first), kernelOptions, 1 + options.candidates);
    checkFirst(plans.front().name);
    return worthOf(plans, runs, [](const KernelPlan &plan) {
      return bundleKernel(plan.name, printKernel(plan), cudaSource(plan), plan.launch);
    });
  }
  const std::vector<OpId> operations = use.chain->operations();
  const auto form = findChainForm(program, use.chain->message, operations);
  MPF_CHECK(form.has_value(), "chain {} has no form any more", kernel.name);
  const auto plans = buildChains(*form, chainOptionsFor(kernelOptions), 1 + options.candidates);
  checkFirst(plans.empty() ? "none" : plans.front().name);
  return worthOf(plans, runs, [](const ChainPlan &plan) {
    return bundleKernel(plan.name, printChain(plan), chainSource(plan), plan.launch);
  });
}

} // namespace

size_t candidatesThatPay(double predictedUs, double floorUs, double runs, size_t most) {
  const double gainUs = predictedUs - floorUs;
  if (!(gainUs > 0))
    return 0;
  return static_cast<size_t>(std::min(static_cast<double>(most), gainUs * runs / kKernelCompileUs));
}

std::vector<TuningCandidates> findTuningCandidates(const Bundle &bundle,
                                                   const TableProgram &program,
                                                   const KernelOptions &kernelOptions,
                                                   const SpecialiseOptions &options) {
  std::vector<TuningCandidates> found;
  if (options.candidates == 0)
    return found;
  for (const auto &[number, use] : usesOf(bundle, program)) {
    std::vector<BundleKernel> candidates =
        candidatesOf(use, bundle.kernels[number], program, kernelOptions, options);
    if (!candidates.empty())
      found.push_back({number, std::move(candidates)});
  }
  return found;
}

} // namespace mpf
