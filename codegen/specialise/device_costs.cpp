#include "codegen/specialise/device_costs.h"

#include "codegen/kernel/build/build_chain.h"
#include "codegen/kernel/build/choose_split_k.h"
#include "codegen/kernel/cost/floor.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/plan/program/planning_budget.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/split_k.h"
#include "codegen/specialise/form_shape.h"
#include "codegen/specialise/kernel_choice.h"
#include "codegen/specialise/layout_candidates.h"
#include "dsl/support/packed_table.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

namespace {

/// Prices of questions besides kKernelPlanUs (planning_budget.h), about their time on one core. A
/// sum may be cut in many ways, but usually the first two decide; a chain is only predicted.
constexpr double kSplitPriceUs = 2 * kKernelPlanUs, kChainPriceUs = 500;
/// The most shapes of chains, sums and stored forms that are asked about, for any number of runs.
constexpr size_t kMostShapes = 20'000, kMostSums = 50, kMostStored = 200;
/// The most time of specialised kernels, as a multiple of the floor: nearly all stay below
/// (tools/mpf-bench/RESULTS.md).
constexpr double kWorstOfFloor = 5;
constexpr uint64_t kMostAddresses = uint64_t{1} << 62; ///< most addresses of a digit form

/// Predicts times of kernels, and remembers them by shape. A question that costs more than it can
/// save is not computed. Its answer changes nothing: no page fits, no sum is cut, no time is known.
class KernelDeviceCosts final : public DeviceCosts {
public:
  KernelDeviceCosts(const SpecialiseOptions &options, ElementType type, bool forcedLog,
                    std::shared_ptr<PlannedKernels> planned)
      : planned_(planned ? std::move(planned) : std::make_shared<PlannedKernels>()),
        kernel_(kernelOptionsFor(options, type, forcedLog)), chain_(chainOptionsFor(kernel_)),
        expectedRuns_(options.expectedRuns),
        planningRuns_(options.planningRuns.value_or(options.expectedRuns)),
        hasGpu_(options.hasGpu) {}

  double operationUs(const TableProgram &program, const Operation &operation) override;
  double moveUs(double elems) const override;
  std::optional<double> chainUs(const TableProgram &program, TableId message,
                                std::span<const OpId> operations) override;
  uint32_t bestSplits(const TableProgram &program, OpId operation) override;
  std::optional<double> storedUs(const TableProgram &program, OpId operation) override;
  std::vector<LayoutCandidate> layoutCandidates(const TableProgram &program,
                                                OpId operation) override;
  bool storesForGpu() override;
  uint64_t cacheBytes() const override { return kernel_.target.l2Bytes; }
  /// False for whole numbers, which have no chains, and whose sums stay whole.
  bool changesOperations() const override { return !isIntegerType(kernel_.type); }
  double leastGainUs() const override { return kKernelGainUs / expectedRuns_; }

private:
  double iterations(const TableProgram &program, OpId operation) const;
  bool pay(const TableProgram &program, double priceUs, double gainUs);

  const std::shared_ptr<PlannedKernels> planned_;
  KernelOptions kernel_;
  ChainOptions chain_;
  double expectedRuns_;
  double planningRuns_;
  std::function<bool()> hasGpu_;
  std::optional<bool> isForGpu_;                       ///< none: hasGpu_ was not asked yet
  std::map<std::string, std::optional<double>> known_; ///< by shape of the form
  std::map<std::string, uint32_t> knownSplits_;        ///< by shape of single operations
  std::map<std::string, std::optional<double>> stored_;
  std::optional<PlanningBudget> budget_; ///< none: nothing was asked yet
};

/// Returns the number of times that a run computes the operation: its slices.
double KernelDeviceCosts::iterations(const TableProgram &program, OpId operation) const {
  const SliceLevels levels(program);
  return levels.runs(levels.ofOperation(program.operation(operation)));
}

/// Whether a question may be asked that shortens a run by at most `gainUs`. The budget is that of
/// the first program asked about: passes hardly change its least time.
bool KernelDeviceCosts::pay(const TableProgram &program, double priceUs, double gainUs) {
  if (!budget_) {
    const SliceLevels levels(program);
    double runUs = 0;
    for (const Operation &operation : program.operations)
      if (program.runs(operation))
        runUs += levels.runs(levels.ofOperation(operation)) * tableDrivenUs(operation, kernel_);
    budget_.emplace(runUs, planningRuns_);
  }
  return budget_->pay(priceUs, gainUs);
}

double KernelDeviceCosts::operationUs(const TableProgram &program, const Operation &operation) {
  if (!program.runs(operation))
    return 0;
  const Target &target = kernel_.target;
  double bytes = (static_cast<double>(operation.cost.readElems) +
                  static_cast<double>(operation.cost.writtenElems)) *
                 elementBytes(kernel_.type);
  for (const TableId id : operation.operands)
    if (program.table(program.stored(id)).packed)
      bytes -= static_cast<double>(storedElems(program, program.table(id))) *
               (elementBytes(kernel_.type) - storedElemBytes(kernel_.type, true));
  const double work = static_cast<double>(operation.cost.combineOps) +
                      static_cast<double>(operation.cost.reduceOps);
  return target.launchUs + floorTerms(bytes, work, kernel_.type, target).longerUs();
}

double KernelDeviceCosts::moveUs(double elems) const {
  const double bytes = elems * elementBytes(kernel_.type);
  return kernel_.target.launchUs + floorTerms(bytes, 0, kernel_.type, kernel_.target).longerUs();
}

std::optional<double> KernelDeviceCosts::chainUs(const TableProgram &program, TableId message,
                                                 std::span<const OpId> operations) {
  const std::optional<ChainForm> form = findChainForm(program, message, operations);
  if (!form)
    return std::nullopt;
  const auto [known, isNew] = known_.try_emplace(shapeOf(*form));
  if (!isNew)
    return known->second;
  double aloneUs = 0;
  for (const OpId id : operations)
    aloneUs += operationUs(program, program.operation(id));
  if (known_.size() <= kMostShapes &&
      pay(program, kChainPriceUs, aloneUs * iterations(program, operations.front())))
    known->second = predictChain(*form, chain_);
  return known->second;
}

uint32_t KernelDeviceCosts::bestSplits(const TableProgram &program, OpId operation) {
  if (program.operation(operation).cost.addressCount > kMostAddresses)
    return 1; // of an order that is refused for its memory
  if (sliceElems(program, program.operation(operation).reduced) < 2 * kLeastTermsOfPart)
    return 1; // most operations: the form takes longer to make
  const DigitForm form = buildDigitForm(program, operation, false);
  if (maxSplits(form) < 2)
    return 1;
  const auto [known, isNew] = knownSplits_.try_emplace(shapeOf(form), 1);
  if (!isNew)
    return known->second;
  const Operation &whole = program.operation(operation);
  const double gainUs = tableDrivenUs(whole, kernel_) - operationUs(program, whole);
  if (knownSplits_.size() <= kMostSums &&
      pay(program, kSplitPriceUs, gainUs * iterations(program, operation)))
    known->second = mpf::bestSplits(program, operation, kernel_, expectedRuns_, *planned_);
  return known->second;
}

std::optional<double> KernelDeviceCosts::storedUs(const TableProgram &program, OpId operation) {
  if (program.operation(operation).cost.addressCount > kMostAddresses)
    return std::nullopt;
  const DigitForm form = kernelForm(program, operation);
  const auto [known, isNew] = stored_.try_emplace(shapeOf(form));
  if (!isNew)
    return known->second;
  const Operation &asked = program.operation(operation);
  const double leastUs = operationUs(program, asked);
  const double gainUs = std::min(tableDrivenUs(asked, kernel_), kWorstOfFloor * leastUs) - leastUs;
  const bool isCheap = !mayHaveKernel(asked, kernel_, expectedRuns_);
  if (stored_.size() <= kMostStored &&
      (isCheap || pay(program, kKernelPlanUs, gainUs * iterations(program, operation))))
    known->second = mpf::storedUs(form, kernel_, expectedRuns_, *planned_);
  return known->second;
}

std::vector<LayoutCandidate> KernelDeviceCosts::layoutCandidates(const TableProgram &program,
                                                                 OpId operation) {
  if (program.operation(operation).cost.addressCount > kMostAddresses ||
      isIntegerType(kernel_.type) ||
      !mayHaveKernel(program.operation(operation), kernel_, expectedRuns_) || !storesForGpu())
    return {};
  return mpf::layoutCandidates(program, operation);
}

bool KernelDeviceCosts::storesForGpu() {
  if (!isForGpu_)
    isForGpu_ = !hasGpu_ || hasGpu_();
  return *isForGpu_;
}

} // namespace

std::unique_ptr<DeviceCosts> makeDeviceCosts(const SpecialiseOptions &options, ElementType type,
                                             bool forcedLog,
                                             std::shared_ptr<PlannedKernels> planned) {
  return std::make_unique<KernelDeviceCosts>(options, type, forcedLog, std::move(planned));
}

} // namespace mpf
