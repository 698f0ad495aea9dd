#include "codegen/specialise/tuning_candidates.h"

#include "codegen/kernel/build_kernel.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/specialise/bundle_kernel.h"
#include "codegen/specialise/kernel_choice.h"
#include "codegen/specialise/specialise_options.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <map>

namespace mpf {

namespace {

/// The operations of the bundle, or the chains, that one kernel serves.
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

/// Returns all but the first of `plans`, as many as can repay their compilation.
std::vector<BundleKernel> worthOf(const std::vector<KernelPlan> &plans, double runs) {
  const KernelHeader &first = plans.front().header();
  const size_t most = candidatesThatPay(first.predictedUs, first.floorUs, runs, plans.size() - 1);
  std::vector<BundleKernel> candidates;
  for (size_t i = 1; i <= most; ++i)
    candidates.push_back(bundleKernel(plans[i]));
  return candidates;
}

std::vector<KernelPlan> plansOf(const KernelUse &use, const TableProgram &program,
                                const KernelOptions &options, size_t most) {
  if (use.chain == nullptr)
    return buildKernels(kernelForm(program, use.first), options, most);
  const std::vector<OpId> operations = use.chain->operations();
  const auto form = findChainForm(program, use.chain->message, operations);
  return form ? buildKernels(*form, options, most) : std::vector<KernelPlan>();
}

std::vector<BundleKernel> candidatesOf(const KernelUse &use, const BundleKernel &kernel,
                                       const TableProgram &program,
                                       const KernelOptions &kernelOptions,
                                       const SpecialiseOptions &options) {
  const std::vector<KernelPlan> plans =
      plansOf(use, program, kernelOptions, 1 + options.candidates);
  const std::string name = plans.empty() ? "none" : plans.front().header().name;
  MPF_CHECK(name == kernel.name, "kernel {} is planned once more as {}", kernel.name, name);
  return worthOf(plans, options.expectedRuns * static_cast<double>(use.count));
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
