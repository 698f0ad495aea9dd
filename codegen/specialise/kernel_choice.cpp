#include "codegen/specialise/kernel_choice.h"

#include "codegen/bundle/level_split.h"
#include "codegen/bundle/table_driven_shape.h"
#include "codegen/bundle/table_driven_time.h"
#include "codegen/kernel/build/choose_split_k.h"
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/plan/program/planning_budget.h"
#include "codegen/specialise/form_shape.h"
#include "codegen/specialise/kernel_suitability.h"
#include "codegen/specialise/level_launches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace mpf {

namespace {

struct TableDrivenWork {
  double results = 1, terms = 1; ///< number of results; terms of each
  size_t operands = 1;
  double bytes = 0; ///< bytes of all tables
  double lines = 0; ///< lines of a warp (linesOfWarp)
  TableDrivenTerm term;
};

/// Returns the parts of an operation in a level's launch, whose fixed time the operations of the
/// level share. So a small operation gets a kernel only if that gains more than the kernel's launch
/// costs.
LevelOperation partsOf(const TableDrivenWork &work, const Target &target) {
  // A level splits it until a thread has few addresses left or the device is full.
  const double addresses = work.results * work.terms;
  const double mostBlocks = kTableResidentBlocks * target.smCount,
               threadsOfBlock = kTableDrivenThreads;
  const double mostThreads = mostBlocks * threadsOfBlock;
  const double blocks = std::clamp(addresses / kLevelLeastAddresses, 1.0, mostBlocks);
  const auto wholeBlocks = static_cast<uint64_t>(blocks);
  const bool isCut =
      work.results < mostBlocks && sharesTerms(static_cast<uint64_t>(work.results), wholeBlocks);
  const double threads =
      threadsOfBlock * (isCut ? static_cast<double>(termParts(addresses, wholeBlocks)) : blocks);
  const auto stretchUs = [&](double results, double terms) {
    return kTableTermFactor * work.term.stretchUs(results, terms, work.operands);
  };
  const double sharedUs =
      std::max({addresses / 32 * work.lines / (kTableLinesPerUsAndSm * target.smCount),
                work.bytes / std::min(kTableBytesPerUs, target.copyBytesPerUs),
                stretchUs(work.results / mostThreads, addresses / mostThreads)});
  const double stretchAloneUs =
      stretchUs(std::max(1.0, work.results / threads), std::max(1.0, addresses / threads));
  return {std::max(sharedUs, stretchAloneUs), sharedUs};
}

double tableDrivenUs(const TableDrivenWork &work, const Target &target) {
  return partsOf(work, target).alonePart;
}

TableDrivenWork workOf(const DigitForm &form, ElementType type) {
  double bytes = static_cast<double>(form.result.sizeElems) * elementBytes(type);
  for (const DigitAccess &operand : form.operands)
    bytes += static_cast<double>(operand.sizeElems) * operand.elemBytes(type);
  return {static_cast<double>(form.keptAddresses()),
          static_cast<double>(form.reducedAddresses()),
          form.operands.size(),
          bytes,
          linesOfWarp(form, static_cast<double>(elementBytes(type))),
          tableDrivenTerm(form.semiring, type, form.readsPacked())};
}

/// Whether an operation that takes `tableDrivenUs` on the table-driven kernels may be worth a
/// kernel.
bool mayDeserveKernel(double tableDrivenUs, const DigitForm &form, const KernelOptions &options,
                      double expectedRuns) {
  return tableDrivenUs * expectedRuns >= kKernelGainUs && servesType(form, options.type);
}

/// Returns one flag for each of `operations`, whose parts are `parts`, level by level.
std::vector<bool> choiceByLevels(std::span<const size_t> levels, std::span<const OpId> operations,
                                 std::span<const LevelOperation> parts) {
  std::map<size_t, std::vector<size_t>> members; // by level: into `operations`
  for (size_t i = 0; i < operations.size(); ++i)
    members[levels[operations[i].index()]].push_back(i);
  std::vector<bool> has(operations.size(), false);
  for (const auto &[level, of] : members) {
    std::vector<LevelOperation> together;
    for (const size_t i : of)
      together.push_back(parts[i]);
    const std::vector<bool> chosen = kernelsOfLevel(together);
    for (size_t i = 0; i < of.size(); ++i)
      has[of[i]] = chosen[i];
  }
  return has;
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

double ownKernelUs(const KernelHeader &kernel) {
  return kTableLaunchUs + kSpecialisedFactor * kernel.predictedUs;
}

bool deservesKernel(double tableDrivenUs, const KernelHeader &kernel, double expectedRuns) {
  return (tableDrivenUs - ownKernelUs(kernel)) * expectedRuns >= kKernelGainUs;
}

double tableDrivenUs(const DigitForm &form, ElementType type, const Target &target) {
  return tableDrivenUs(workOf(form, type), target);
}

std::vector<KernelChoice> chooseKernels(const TableProgram &program,
                                        std::span<const OpId> operations,
                                        const KernelOptions &options, const KernelRuns &runs,
                                        unsigned threads, PlannedKernels *planned) {
  std::vector<KernelChoice> choices;
  std::vector<LevelOperation> parts;      // by choice
  std::vector<DigitForm> forms;           // forms of operations that may be worth a kernel
  std::vector<size_t> which;              // by form: index into choices
  std::map<std::string, double> shapesUs; // by shape: time of all its operations
  const std::vector<size_t> levels = levelsOfOperations(program);
  const std::vector<double> launchUs = levelLaunchUs(program, levels);
  const std::vector<bool> suits = suitsKernels(program, options.type);
  const bool isForAll = std::isinf(runs.compiling);
  for (const OpId operation : operations) {
    DigitForm form = kernelForm(program, operation);
    parts.push_back(partsOf(workOf(form, options.type), options.target));
    const double tableUs = parts.back().alonePart + launchUs[operation.index()];
    parts.back().needsLaunch = needsLevelLaunch(program.operation(operation));
    if (suits[operation.index()] && mayDeserveKernel(tableUs, form, options, runs.compiling)) {
      shapesUs[shapeOf(form)] += tableUs;
      which.push_back(choices.size());
      forms.push_back(std::move(form));
    }
    choices.push_back({tableUs, suits[operation.index()], std::nullopt});
  }
  size_t count = 0;
  for (size_t i = 0; i < forms.size(); ++i)
    if ((planned != nullptr && planned->knows(forms[i], options)) ||
        questionPays(kKernelPlanUs, shapesUs.at(shapeOf(forms[i])), runs.planning)) {
      which[count] = which[i];
      std::swap(forms[count++], forms[i]);
    }
  forms.erase(forms.begin() + static_cast<std::ptrdiff_t>(count), forms.end());
  std::vector<KernelPlan> plans = planKernels(forms, options, threads, planned);
  for (size_t i = 0; i < plans.size(); ++i)
    parts[which[i]].kernelPart = ownKernelUs(plans[i].header()) + kKernelGainUs / runs.compiling;
  const std::vector<bool> has = isForAll ? std::vector<bool>(operations.size(), true)
                                         : choiceByLevels(levels, operations, parts);
  for (size_t i = 0; i < plans.size(); ++i)
    if (has[which[i]])
      choices[which[i]].kernel = std::move(plans[i]);
  return choices;
}

double storedUs(const DigitForm &form, const KernelOptions &options, double expectedRuns,
                PlannedKernels &planned) {
  const double tableUs = tableDrivenUs(form, options.type, options.target);
  if (!mayDeserveKernel(tableUs, form, options, expectedRuns))
    return tableUs;
  const std::shared_ptr<const KernelPlan> kernel = planned.of(form, options);
  // Over infinitely many runs all have kernels, slower ones too.
  const bool hasKernel =
      std::isinf(expectedRuns) || deservesKernel(tableUs, kernel->header(), expectedRuns);
  return hasKernel ? ownKernelUs(kernel->header()) : tableUs;
}

double tableDrivenUs(const Operation &operation, const KernelOptions &options) {
  const OperationCost &cost = operation.cost;
  const double written = std::max(1.0, static_cast<double>(cost.writtenElems));
  return tableDrivenUs(
      {written, static_cast<double>(cost.addressCount) / written, operation.operands.size(),
       (static_cast<double>(cost.readElems) + written) * elementBytes(options.type),
       kUsualLines * static_cast<double>(operation.operands.size()),
       tableDrivenTerm(Semiring{}, options.type, true)},
      options.target);
}

bool mayHaveKernel(const Operation &operation, const KernelOptions &options, double expectedRuns) {
  return tableDrivenUs(operation, options) * expectedRuns >= kKernelGainUs;
}

uint32_t bestSplits(const TableProgram &program, OpId operation, const KernelOptions &options,
                    double expectedRuns, PlannedKernels &planned) {
  const DigitForm whole = kernelForm(program, operation, false);
  const double tableUs = tableDrivenUs(whole, options.type, options.target);
  if (maxSplits(whole) < 2 || tableUs * expectedRuns < kKernelCompileUs)
    return 1;
  const auto timeUs = [&](const DigitForm &form) {
    return storedUs(form, options, expectedRuns, planned);
  };
  return static_cast<uint32_t>(chooseSplits(whole, options, timeUs).splits);
}

} // namespace mpf
