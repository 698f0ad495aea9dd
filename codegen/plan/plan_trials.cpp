#include "codegen/plan/plan_trials.h"

#include "codegen/plan/pass_keep_messages.h"
#include "codegen/plan/program_memory.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <utility>

namespace mpf {

namespace {

/// The ways to run the passes, dearest in memory first.
std::vector<PlanHooks> attempts(const PlanHooks &hooks) {
  std::vector<PlanHooks> list{hooks};
  std::vector<std::string> off = hooks.offPasses;
  for (const char *pass : {"merge-operands", "contract-operands"})
    if (std::find(off.begin(), off.end(), pass) == off.end())
      off.emplace_back(pass);
  if (off.size() > hooks.offPasses.size()) {
    list.push_back(hooks);
    list.back().offPasses = std::move(off);
  }
  return list;
}

} // namespace

void SmallestPeak::take(const TableProgram &program, uint64_t bytes, ElementType type) {
  bytes_ = std::min(bytes_, bytes);
  if (bytes == UINT64_MAX)
    takeLog2(log2PeakBytes(program, type));
}

void SmallestPeak::take(const SmallestPeak &other) {
  bytes_ = std::min(bytes_, other.bytes_);
  takeLog2(other.log2Bytes_);
}

void SmallestPeak::takeLog2(double bits) { log2Bytes_ = std::min(log2Bytes_, bits); }

bool SmallestPeak::isAbove(const SmallestPeak &other) const {
  return bytes_ > other.bytes_ || (bytes_ == UINT64_MAX && log2Bytes_ > other.log2Bytes_);
}

std::string SmallestPeak::text() const {
  return bytes_ != UINT64_MAX ? formatBytesExactly(bytes_)
                              : fmt::format("2^{:.1f} bytes", log2Bytes_);
}

uint64_t PlanTrials::run(const OrderChoice &order) {
  uint64_t least = UINT64_MAX;
  for (const PlanHooks &attempt : attempts(hooks_)) {
    for (ChainTimes *chains : {options_.chains, static_cast<ChainTimes *>(nullptr)}) {
      const Outcome outcome = run(order, attempt, chains);
      least = std::min(least, outcome.bytes);
      if (isWithinBound(outcome.bytes))
        return least;
      if (!outcome.forGpu)
        break;
    }
  }
  return least;
}

void PlanTrials::skip(const OrderChoice &order) {
  smallest_.takeLog2(order.log2Largest + std::log2(elementBytes(options_.type)));
}

TableProgram PlanTrials::acceptedShown(PlanHooks hooks) const {
  hooks.offPasses = acceptedOff_;
  return runPlanPasses(initial_, {acceptedOrder_, contents_, acceptedKeep_, acceptedChains_},
                       hooks);
}

TableProgram PlanTrials::finished(const PlanHooks &hooks, ChainTimes *chains) {
  if (chains != nullptr) {
    acceptedChains_ = chains;
    TableProgram program = acceptedShown({});
    if (isWithinBound(planMemory(program, options_.type, isSigned_).peakBytes))
      accepted_ = std::move(program);
    else
      acceptedChains_ = nullptr;
  }
  return hooks.after ? acceptedShown(hooks) : std::move(*accepted_);
}

/// One attempt; accepted if it is within the bound, with fewer messages kept if need be.
PlanTrials::Outcome PlanTrials::run(const OrderChoice &order, const PlanHooks &attempt,
                                    ChainTimes *chains) {
  TableProgram program =
      runPlanPasses(initial_, {order, contents_, options_.keep, chains}, attempt);
  KeptMessages keep = options_.keep;
  uint64_t bytes = planMemory(program, options_.type, isSigned_).peakBytes;
  while (!isWithinBound(bytes) && keepFewer(program, keep))
    bytes = planMemory(program, options_.type, isSigned_).peakBytes;
  const bool inParts = std::any_of(program.tables.begin(), program.tables.end(),
                                   [](const ProgramTable &table) { return table.parts > 1; });
  const Outcome outcome{bytes, inParts || !program.chains.empty()};
  if (!isWithinBound(bytes)) {
    smallest_.take(program, bytes, options_.type);
    return outcome;
  }
  accepted_ = std::move(program);
  acceptedOrder_ = order;
  acceptedOff_ = attempt.offPasses;
  acceptedKeep_ = keep;
  acceptedChains_ = chains;
  acceptedBytes_ = bytes;
  return outcome;
}

bool PlanTrials::isWithinBound(uint64_t bytes) const {
  return bytes != UINT64_MAX && bytes <= options_.maxMemoryBytes;
}

/// Takes memory of their own from messages: first from those that change, then from all. False
/// when none has any.
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
