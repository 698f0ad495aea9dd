#include "codegen/specialise/kernel_choice.h"

#include "codegen/bundle/table_driven_shape.h"
#include "codegen/bundle/table_driven_time.h"
#include "codegen/kernel/build/choose_split_k.h"
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/specialise/form_shape.h"
#include "codegen/specialise/level_launches.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf {

namespace {

/// Entries a table-driven kernel loads per microsecond and multiprocessor: each costs a load and
/// some index arithmetic, whatever its type.
constexpr double kTableLoadsPerUsAndSm = 400;

struct TableDrivenWork {
  double results = 1, terms = 1; ///< of each result
  size_t operands = 1;
  double bytes = 0; ///< of all tables
  TableDrivenTerm term;
};

double tableDrivenUs(const TableDrivenWork &work, const Target &target) {
  const auto operands = static_cast<double>(work.operands);
  // A level splits it until a thread has few addresses left or the device is full.
  const double addresses = work.results * work.terms;
  constexpr double kLeast = double{kLevelBlockAddresses} / kTableDrivenThreads;
  const double stretch = std::max(std::min(addresses, kLeast),
                                  addresses / (2.0 * kTableDrivenThreads * target.smCount));
  // Without the time of a launch, which the operations of a level share: a small operation has to
  // gain by its kernel what the launch of that costs.
  return std::max({work.results * work.terms * operands / (kTableLoadsPerUsAndSm * target.smCount),
                   work.bytes / target.copyBytesPerUs,
                   stretch * (work.term.termUs + work.term.operandUs * operands)});
}

/// Of an operation that takes this long on the table-driven kernels.
bool mayDeserveKernel(double tableDrivenUs, const DigitForm &form, const KernelOptions &options,
                      double expectedRuns) {
  return tableDrivenUs * expectedRuns >= kKernelCompileUs && servesType(form, options.type);
}

bool deservesKernel(double tableDrivenUs, const KernelPlan &kernel, double expectedRuns) {
  return (tableDrivenUs - kernel.header().predictedUs) * expectedRuns >= kKernelCompileUs;
}

} // namespace

KernelOptions kernelOptionsFor(const SpecialiseOptions &options, ElementType type, bool forcedLog) {
  KernelOptions kernel;
  kernel.target = options.target;
  kernel.type = type;
  kernel.valueForm = forcedLog ? ValueForm::Log : ValueForm::Linear;
  kernel.expectedRuns = options.expectedRuns;
  return kernel;
}

DigitForm kernelForm(const TableProgram &program, OpId operation, bool mergeDigits) {
  DigitForm form = buildDigitForm(program, operation, mergeDigits);
  form.semiring = semiringOfNumbers(form.semiring);
  return form;
}

double tableDrivenUs(const DigitForm &form, ElementType type, const Target &target) {
  double bytes = static_cast<double>(form.result.sizeElems) * elementBytes(type);
  for (const DigitAccess &operand : form.operands)
    bytes += static_cast<double>(operand.sizeElems) * operand.elemBytes(type);
  return tableDrivenUs(
      {static_cast<double>(form.keptAddresses()), static_cast<double>(form.reducedAddresses()),
       form.operands.size(), bytes,
       tableDrivenTerm(form.semiring, type, form.readsPacked(), form.operands.size())},
      target);
}

std::vector<KernelChoice> chooseKernels(const TableProgram &program,
                                        std::span<const OpId> operations,
                                        const KernelOptions &options, double expectedRuns,
                                        unsigned threads) {
  std::vector<KernelChoice> choices;
  std::vector<DigitForm> forms; // of those that may deserve a kernel
  std::vector<size_t> which;    // by form: index into choices
  const std::vector<double> launchUs = levelLaunchUs(program);
  for (const OpId operation : operations) {
    DigitForm form = kernelForm(program, operation);
    const double tableUs =
        tableDrivenUs(form, options.type, options.target) + launchUs[operation.index()];
    if (mayDeserveKernel(tableUs, form, options, expectedRuns)) {
      which.push_back(choices.size());
      forms.push_back(std::move(form));
    }
    choices.push_back({tableUs, std::nullopt});
  }
  std::vector<KernelPlan> plans = planKernels(forms, options, threads);
  for (size_t i = 0; i < plans.size(); ++i)
    if (deservesKernel(choices[which[i]].tableDrivenUs, plans[i], expectedRuns))
      choices[which[i]].kernel = std::move(plans[i]);
  return choices;
}

double storedUs(const DigitForm &form, const KernelOptions &options, double expectedRuns) {
  const double tableUs = tableDrivenUs(form, options.type, options.target);
  if (!mayDeserveKernel(tableUs, form, options, expectedRuns))
    return tableUs;
  const KernelPlan kernel = buildKernel(form, options);
  return deservesKernel(tableUs, kernel, expectedRuns) ? kernel.header().predictedUs : tableUs;
}

double tableDrivenUs(const Operation &operation, const KernelOptions &options) {
  const OperationCost &cost = operation.cost;
  const double written = std::max(1.0, static_cast<double>(cost.writtenElems));
  return tableDrivenUs(
      {written, static_cast<double>(cost.addressCount) / written, operation.operands.size(),
       (static_cast<double>(cost.readElems) + written) * elementBytes(options.type),
       tableDrivenTerm(Semiring{}, options.type, true, operation.operands.size())},
      options.target);
}

bool mayHaveKernel(const Operation &operation, const KernelOptions &options, double expectedRuns) {
  return tableDrivenUs(operation, options) * expectedRuns >= kKernelCompileUs;
}

uint32_t bestSplits(const TableProgram &program, OpId operation, const KernelOptions &options,
                    double expectedRuns) {
  const DigitForm whole = kernelForm(program, operation, false);
  const double tableUs = tableDrivenUs(whole, options.type, options.target);
  if (maxSplits(whole) < 2 || tableUs * expectedRuns < kKernelCompileUs)
    return 1;
  const auto timeUs = [&](const DigitForm &form) { return storedUs(form, options, expectedRuns); };
  return static_cast<uint32_t>(chooseSplits(whole, options, timeUs).splits);
}

} // namespace mpf
