#include "codegen/plan/slicing/plan_trials.h"

#include "codegen/plan/passes/pass_keep_messages.h"
#include "codegen/plan/passes/pass_traces.h"
#include "codegen/plan/program/held_variables.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/verify_program.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <iterator>
#include <string_view>
#include <utility>

namespace mpf {

namespace {

/// A peak is as good as the smallest if it exceeds the bytes that every plan needs by at most 1 /
/// kFloorShare of them.
constexpr uint64_t kFloorShare = 16;
/// The number of inputs below which models are searched to the end, in milliseconds.
constexpr size_t kFewInputs = 20;
/// Passes that add tables. A plan above the bound is tried without them.
constexpr const char *kWideningPasses[] = {"merge-operands", "contract-operands"};

bool isWidening(std::string_view pass) {
  return std::find(std::begin(kWideningPasses), std::end(kWideningPasses), pass) !=
         std::end(kWideningPasses);
}

/// Bytes of inputs and outputs, which are in memory together at the end.
uint64_t bytesOfEnds(const TableProgram &program, const MemoryPlan &plan, uint64_t entryBytes) {
  std::vector<char> isOutput(program.tables.size(), 0);
  for (const ProgramOutput &output : program.outputs)
    isOutput[program.stored(output.table).index()] = 1;
  uint64_t bytes = plan.inputArenaBytes;
  for (size_t i = 0; i < isOutput.size(); ++i)
    if (isOutput[i] && !program.tables[i].isInput())
      bytes = saturatingAdd(bytes, saturatingMul(program.tables[i].sizeElems, entryBytes));
  return bytes;
}

} // namespace

void SmallestPeak::take(const TableProgram &program, uint64_t bytes, ElementType type) {
  bytes_ = std::min(bytes_, bytes);
  if (bytes == UINT64_MAX)
    takeLog2(log2PeakBytes(program, type));
}

void SmallestPeak::takeLog2(double bits) { log2Bytes_ = std::min(log2Bytes_, bits); }

bool SmallestPeak::isAbove(const SmallestPeak &other) const {
  return bytes_ > other.bytes_ || (bytes_ == UINT64_MAX && log2Bytes_ > other.log2Bytes_);
}

bool SmallestPeak::isWithin(uint64_t bytes) const { return bytes_ <= bytes; }

std::string SmallestPeak::text() const {
  return bytes_ != UINT64_MAX ? formatBytesExactly(bytes_)
                              : fmt::format("2^{:.1f} bytes", log2Bytes_);
}

bool PlanTrials::mayRecompute() const {
  const std::vector<std::string> &off = hooks_.offPasses;
  return traitsOf(initial_.kind).goesDownward && heldVariables(initial_).empty() &&
         options_.maxMemoryBytes != UINT64_MAX &&
         std::find(off.begin(), off.end(), "recompute-messages") == off.end();
}

bool PlanTrials::mayChangeForGpu() const {
  return options_.deviceCosts != nullptr && options_.deviceCosts->changesOperations();
}

std::vector<PlanTrials::Way> PlanTrials::ways() const {
  std::vector<Way> list;
  const auto add = [&](const std::vector<std::string> &off) {
    list.push_back({off, options_.keep, false, {}});
  };
  add(hooks_.offPasses);
  std::vector<std::string> off = hooks_.offPasses;
  for (const char *pass : kWideningPasses)
    if (std::find(off.begin(), off.end(), pass) == off.end())
      off.emplace_back(pass);
  if (off.size() > hooks_.offPasses.size())
    add(off);
  if (mayRecompute())
    for (size_t i = 0, count = list.size(); i < count; ++i) {
      const RecomputeBound bound{{options_.maxMemoryBytes, options_.type, isSigned_}, findsLeast_};
      list.push_back({list[i].offPasses, KeptMessages::None, false, bound});
    }
  return list;
}

/// Memory has no price if another device, which has its own, may run the program.
BranchTerms PlanTrials::branchTerms(const OrderChoice &order) const {
  BranchTerms terms{{options_.maxMemoryBytes, options_.type, isSigned_}, options_.runCosts};
  const RunWork &work = order.joinedWork;
  if (work.operations > 0)
    terms.mostGainUs = terms.costs.threadsSaveUs(work);
  if (mayRunElsewhere(options_, work))
    terms.costs.memory = {};
  else if (options_.programUs)
    terms.programUs = [this](const TableProgram &program) {
      return options_.programUs(model_, program, PredictedKernels::BuiltIn);
    };
  return terms;
}

TrialResult PlanTrials::run(const OrderChoice &order) {
  TrialResult best;
  MPF_CHECK(order.order.size() == initial_.order.size(), "an order of {} of {} variables",
            order.order.size(), initial_.order.size());
  shapes_.clear();
  widened_ = true; // until the first shape is made
  bool isFirst = true;
  for (const Way &way : ways()) {
    const bool sameAsWide = !widened_ && way.offPasses.size() > hooks_.offPasses.size();
    if (sameAsWide)
      continue;
    if (!isFirst && isSmallestOfAll())
      break;
    const TrialResult cost = run(order, way);
    const TrialResult first = std::exchange(isFirst, false) ? cost : best;
    if (cost.fits || cost.peakBytes < best.peakBytes)
      best = cost;
    best.addressesOfFirst = first.addressesOfFirst;
    best.tables = first.tables;
    if (best.fits)
      break;
  }
  return best;
}

void PlanTrials::skip(const OrderChoice &order) {
  smallest_.takeLog2(order.log2Largest + std::log2(elementBytes(options_.type)));
}

/// Returns the program of the passes of all stages up to `last`.
TableProgram PlanTrials::program(const OrderChoice &order, const Way &way, PlanHooks hooks,
                                 PassStage last) const {
  hooks.offPasses = way.offPasses;
  TableProgram program = initial_;
  for (const PassStage stage : kPassStages)
    if (stage <= last)
      program = runPlanPasses(std::move(program), inputOf(order, way), hooks, stage);
  return program;
}

/// Returns the program of the Shaping passes; taken from shapes_ if it was made before.
TableProgram PlanTrials::shape(const OrderChoice &order, const Way &way) {
  const auto known = std::find_if(shapes_.begin(), shapes_.end(), [&way](const Shape &shape) {
    return shape.offPasses == way.offPasses;
  });
  if (known != shapes_.end()) {
    TableProgram program = std::move(known->program);
    shapes_.erase(known);
    return program;
  }
  PlanHooks hooks = hooks_;
  hooks.offPasses = way.offPasses;
  size_t before = 0;
  bool widened = false;
  hooks.after = [&](const PassEvent &event) {
    widened |= isWidening(event.pass) && event.program.operations.size() > before;
    before = event.program.operations.size();
    if (hooks_.after)
      hooks_.after(event);
  };
  TableProgram program = runPlanPasses(initial_, inputOf(order, way), hooks, PassStage::Shaping);
  if (way.offPasses.size() == hooks_.offPasses.size())
    widened_ = widened;
  return program;
}

TableProgram PlanTrials::finished(const PlanHooks &hooks) {
  MPF_CHECK(accepted_, "no program of {} was accepted", initial_.name);
  changeForGpu();
  const bool isWatched = static_cast<bool>(hooks.after);
  if (isWatched) {
    accepted_->program = program(accepted_->order, accepted_->way, hooks, PassStage::Storing);
  } else {
    PlanHooks same = hooks_;
    same.offPasses = accepted_->way.offPasses;
    PassInput input = inputOf(accepted_->order, accepted_->way);
    if (input.branches) // the passes before it change no size
      input.branches->peakBytes = accepted_->cost.peakBytes;
    accepted_->program =
        runPlanPasses(std::move(accepted_->program), input, same, PassStage::Storing);
  }
  if (accepted_->program.separateBranches)
    accepted_->cost.peakBytes = planMemory(accepted_->program, options_.type, isSigned_).peakBytes;
  if (!isWatched && !hooks_.verify)
    verify(*accepted_);
  return std::move(accepted_->program);
}

/// Throws Error(Internal) if the program has a fault; its message names the pass that makes it.
void PlanTrials::verify(const Accepted &accepted) const {
  const auto problem = verifyProgram(accepted.program);
  if (!problem)
    return;
  PlanHooks hooks;
  hooks.offPasses = accepted.way.offPasses;
  program(accepted.order, accepted.way, hooks, PassStage::Storing);
  fail(ErrorKind::Internal, "the plan of {}: {}", initial_.name, *problem);
}

/// Adds chains and splits, if the program stays within the bound with them, if need be with fewer
/// messages kept.
void PlanTrials::changeForGpu() {
  Way way = accepted_->way;
  way.changesForGpu = mayChangeForGpu() && !way.recompute;
  if (!way.changesForGpu && !hooks_.after)
    return; // no pass of the stage runs
  PlanHooks hooks = hooks_;
  hooks.offPasses = way.offPasses;
  TableProgram &program = accepted_->program;
  program =
      runPlanPasses(std::move(program), inputOf(accepted_->order, way), hooks, PassStage::Device);
  if (!hasChains(program) && !hasSplits(program)) { // as it was
    accepted_->way = std::move(way);
    return;
  }
  MemoryPlan memory = planMemory(program, options_.type, isSigned_);
  while (!isWithinBound(memory.peakBytes) && keepFewer(program, way.keep))
    memory = planMemory(program, options_.type, isSigned_);
  if (isWithinBound(memory.peakBytes)) {
    accepted_->way = std::move(way);
    accepted_->cost.peakBytes = memory.peakBytes;
    return;
  }
  PlanHooks quiet = hooks_;
  quiet.after = {};
  program = runPlanPasses(
      this->program(accepted_->order, accepted_->way, quiet, PassStage::Fitting),
      inputOf(accepted_->order, accepted_->way), hooks, PassStage::Device); // as it was
}

/// Tries one way, with fewer messages kept if need be.
TrialResult PlanTrials::run(const OrderChoice &order, Way way) {
  PlanHooks hooks = hooks_;
  hooks.offPasses = way.offPasses;
  TableProgram program =
      runPlanPasses(shape(order, way), inputOf(order, way), hooks, PassStage::Fitting);
  MemoryPlan memory = planMemory(program, options_.type, isSigned_);
  while (!isWithinBound(memory.peakBytes) && keepFewer(program, way.keep))
    memory = planMemory(program, options_.type, isSigned_);
  const uint64_t bytes = memory.peakBytes;
  const double addresses = totalAddresses(program, leastAddresses_);
  TrialResult cost{bytes, isWithinBound(bytes), addresses, addresses, program.tables.size()};
  if (cost.fits) {
    if (!accepted_ || cost.addresses < accepted_->cost.addresses)
      accepted_ = Accepted{std::move(program), order, std::move(way), cost};
    return cost;
  }
  if (endBytes_ == 0)
    endBytes_ = bytesOfEnds(program, memory, elementBytes(options_.type) + (isSigned_ ? 1 : 0));
  if (!findsLeast_ || !isNearFloor()) // a peak found above the floor depends on the bound
    smallest_.take(program, bytes, options_.type);
  if (way.recompute) // about the least peak, not the present one
    cost.peakBytes = std::clamp(leastPeakBytes(program, *way.recompute),
                                findsLeast_ ? 0 : options_.maxMemoryBytes + 1, bytes);
  else // no message is kept any more: this is the shape
    shapes_.push_back({way.offPasses, std::move(program)});
  return cost;
}

bool PlanTrials::isHopeless() const { return options_.maxMemoryBytes < endBytes_; }

bool PlanTrials::isSmallestOfAll() const { return isHopeless() && isNearFloor(); }

bool PlanTrials::isNearFloor() const {
  const uint64_t more = initial_.tables.size() < kFewInputs ? 0 : endBytes_ / kFloorShare;
  return smallest_.isWithin(saturatingAdd(endBytes_, more));
}

bool PlanTrials::isWithinBound(uint64_t bytes) const {
  return bytes != UINT64_MAX && bytes <= options_.maxMemoryBytes;
}

/// Keeps fewer messages: first only constant ones, then none. Returns false when none was kept.
bool PlanTrials::keepFewer(TableProgram &program, KeptMessages &keep) const {
  bool any = false;
  for (ProgramTable &table : program.tables)
    any |= std::exchange(table.kept, false);
  if (any) {
    keep = keep == KeptMessages::All ? KeptMessages::Constant : KeptMessages::None;
    passKeepMessages(program, contents_, keep);
  }
  return any;
}

} // namespace mpf
