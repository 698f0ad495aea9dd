#include "codegen/specialise.h"

#include "codegen/chain_kernels.h"
#include "codegen/emit/emit_cuda.h"
#include "codegen/emit/table_driven_source.h"
#include "codegen/find_rivals.h"
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/cut_form.h"
#include "codegen/kernel/print_kernel.h"
#include "codegen/plan/program_edit.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <map>

namespace mpf {

namespace {

/// Entries a table-driven kernel loads per microsecond and multiprocessor: each costs a load and
/// some index arithmetic, whatever its type.
constexpr double kTableLoadsPerUsAndSm = 400;

KernelChoice kernelFor(const DigitForm &form, const KernelOptions &options, double expectedRuns) {
  KernelChoice choice;
  choice.tableDrivenUs = tableDrivenUs(form, options.type, options.target);
  if (choice.tableDrivenUs * expectedRuns < kKernelCompileUs || !servesType(form, options.type))
    return choice;
  KernelPlan plan = buildKernel(form, options);
  if ((choice.tableDrivenUs - plan.predictedUs) * expectedRuns >= kKernelCompileUs)
    choice.kernel = std::move(plan);
  return choice;
}

} // namespace

KernelOptions kernelOptionsFor(const SpecialiseOptions &options, ElementType type, bool forcedLog) {
  KernelOptions kernel;
  kernel.target = options.target;
  kernel.type = type;
  kernel.valueForm = forcedLog ? ValueForm::Log : ValueForm::Linear;
  return kernel;
}

DigitForm kernelForm(const TableProgram &program, OpId operation, bool mergeDigits) {
  DigitForm form = buildDigitForm(program, operation, mergeDigits);
  if (form.semiring.reduce == Reduce::LogSum)
    form.semiring = {Reduce::Sum, Combine::Times};
  return form;
}

BundleKernel bundleKernel(std::string name, std::string plan, std::string source,
                          const LaunchShape &launch) {
  BundleKernel kernel;
  kernel.name = std::move(name);
  kernel.plan = std::move(plan);
  kernel.source = std::move(source);
  kernel.gridBlocks = launch.gridBlocks;
  kernel.blockThreads = launch.blockThreads;
  kernel.sharedBytes = launch.sharedBytes;
  return kernel;
}

double tableDrivenUs(const DigitForm &form, ElementType type, const Target &target) {
  const double addresses =
      static_cast<double>(form.keptAddresses()) * static_cast<double>(form.reducedAddresses());
  const double loads = addresses * static_cast<double>(form.operands.size());
  double bytes = static_cast<double>(form.result.sizeElems);
  for (const DigitAccess &operand : form.operands)
    bytes += static_cast<double>(operand.sizeElems);
  bytes *= elementBytes(type);
  return target.launchUs +
         std::max(loads / (kTableLoadsPerUsAndSm * target.smCount), bytes / target.copyBytesPerUs);
}

KernelChoice chooseKernel(const TableProgram &program, OpId operation, const KernelOptions &options,
                          double expectedRuns) {
  return kernelFor(kernelForm(program, operation), options, expectedRuns);
}

uint32_t bestParts(const TableProgram &program, OpId operation, const KernelOptions &options,
                   double expectedRuns) {
  const DigitForm whole = kernelForm(program, operation, false);
  const double tableUs = tableDrivenUs(whole, options.type, options.target);
  if (mostParts(whole) < 2 || tableUs * expectedRuns < kKernelCompileUs)
    return 1;
  const auto timeUs = [&](const DigitForm &form) {
    return kernelFor(form, options, expectedRuns).timeUs();
  };
  return static_cast<uint32_t>(chooseParts(whole, options, timeUs).parts);
}

void addTableDrivenKernels(Bundle &bundle) {
  BundleKernel tableDriven;
  tableDriven.name = tableDrivenName(bundle.type);
  tableDriven.source = tableDrivenSource(bundle.type);
  tableDriven.blockThreads = kTableDrivenThreads;
  bundle.tableDriven = static_cast<uint32_t>(bundle.kernels.size());
  bundle.kernels.push_back(std::move(tableDriven));
}

bool slicesAreAligned(const BundleOperation &operation, ElementType type) {
  constexpr uint64_t kWidestLoadBytes = 16;
  for (const BundleAccess &access : operation.operands)
    for (const uint64_t stride : access.sliceStridesElems)
      if (stride * elementBytes(type) % kWidestLoadBytes != 0)
        return false;
  return true;
}

void addGpuKernels(Bundle &bundle, const TableProgram &program, const SpecialiseOptions &options) {
  const std::vector<OpId> run = operationsRun(program);
  MPF_CHECK(bundle.operations.size() == run.size(), "bundle of {} operations, program of {}",
            bundle.operations.size(), run.size());
  addTableDrivenKernels(bundle);
  // Log tables of signed values carry signs, which only the table-driven kernels handle.
  if (bundle.forcedLog && bundle.signedValues)
    return;
  const KernelOptions kernelOptions = kernelOptionsFor(options, bundle.type, bundle.forcedLog);
  std::map<std::string, uint32_t> known; // kernel name (content hash) -> index
  std::vector<std::optional<KernelPlan>> plans(run.size());
  std::vector<double> timesUs(program.operations.size(), 0);
  for (size_t i = 0; i < run.size(); ++i) {
    if (bundle.operations[i].accumulates || !slicesAreAligned(bundle.operations[i], bundle.type))
      continue;
    KernelChoice choice = chooseKernel(program, run[i], kernelOptions, options.expectedRuns);
    timesUs[run[i].index()] = choice.timeUs();
    plans[i] = std::move(choice.kernel);
  }
  addChainKernels(bundle, program, options, timesUs);
  if (!keepsOwnKernels(bundle.type))
    for (const BundleChain &chain : bundle.chains)
      std::fill_n(plans.begin() + chain.first, chain.count, std::nullopt);
  for (size_t i = 0; i < run.size(); ++i) {
    if (!plans[i])
      continue;
    const KernelPlan &plan = *plans[i];
    const auto [at, isNew] =
        known.try_emplace(plan.name, static_cast<uint32_t>(bundle.kernels.size()));
    if (isNew)
      bundle.kernels.push_back(
          bundleKernel(plan.name, printKernel(plan), cudaSource(plan), plan.launch));
    bundle.operations[i].kernel = at->second;
  }
  if (options.tuner)
    options.tuner(bundle, findRivals(bundle, program, kernelOptions, options));
}

} // namespace mpf
