#include "codegen/plan/passes/pass_find_chains.h"

#include "codegen/plan/program/chain_rules.h"
#include "codegen/plan/program/program_edit.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf {

namespace {

/// The most entries of a table besides the message. These tables are read again on every page, from
/// caches if they are small.
constexpr uint64_t kMostFactorElems = uint64_t{1} << 16;
/// The least ratio of the message's entries to those of each other table.
constexpr uint64_t kLeastMessageFactors = 8;

/// A path: operations, each of which may follow the one before, and the message of the first.
struct FlowRun {
  TableId message;
  std::vector<OpId> operations;
};

class ChainFinder {
public:
  ChainFinder(TableProgram &program, DeviceCosts &costs)
      : program_(program), costs_(costs), rules_(program) {}

  void find() {
    for (const FlowRun &run : runs())
      cut(run);
    if (!found_.empty())
      gather();
  }

private:
  struct Found {
    size_t messageSlot = 0; ///< operand of the first operation
    std::vector<OpId> operations;
  };

  uint64_t elemsOf(TableId id) const { return sliceElems(program_, program_.table(id).scope); }

  /// Whether `message` is much larger than every other operand.
  bool isMessage(OpId operation, TableId message) const {
    const auto &operands = program_.operation(operation).operands;
    return std::all_of(operands.begin(), operands.end(), [&](TableId id) {
      return id == message || (elemsOf(id) <= kMostFactorElems &&
                               elemsOf(id) <= elemsOf(message) / kLeastMessageFactors);
    });
  }

  bool canFlow(OpId operation, TableId message) const {
    return isMessage(operation, message) && rules_.stepFault(operation, message).empty();
  }

  /// The operation that `next` may follow in a path; invalid if there is none.
  OpId before(OpId next) const {
    for (const TableId id : program_.operation(next).operands) {
      const OpId producer = program_.table(id).producer;
      if (producer.valid() && program_.runs(program_.operation(producer)) && canFlow(next, id) &&
          rules_.linkFault(producer, next).empty())
        return producer;
    }
    return {};
  }

  /// The longest paths. At most one operation may follow another, because nothing else reads its
  /// result.
  std::vector<FlowRun> runs() const {
    const size_t count = program_.operations.size();
    std::vector<OpId> next(count);
    std::vector<char> follows(count, 0);
    for (size_t i = 0; i < count; ++i)
      if (const OpId first = before(OpId{i}); first.valid()) {
        next[first.index()] = OpId{i};
        follows[i] = 1;
      }
    std::vector<FlowRun> runs;
    for (size_t i = 0; i < count; ++i) {
      if (follows[i] || !next[i].valid())
        continue;
      FlowRun run;
      for (OpId id{i}; id.valid(); id = next[id.index()])
        run.operations.push_back(id);
      takeMessage(run);
      if (run.operations.size() > 1)
        runs.push_back(std::move(run));
    }
    return runs;
  }

  /// The message of a path is the largest operand of its first operation. If the rules forbid that,
  /// the path starts with the second operation.
  void takeMessage(FlowRun &run) const {
    const Operation &first = program_.operation(run.operations.front());
    run.message =
        *std::max_element(first.operands.begin(), first.operands.end(),
                          [this](TableId a, TableId b) { return elemsOf(a) < elemsOf(b); });
    if (canFlow(run.operations.front(), run.message))
      return;
    run.message = first.result;
    run.operations.erase(run.operations.begin());
  }

  TableId messageOf(const FlowRun &run, size_t at) const {
    return at == 0 ? run.message : program_.operation(run.operations[at - 1]).result;
  }

  /// The cuts of least predicted time; every chain must also be worth its compilation.
  void cut(const FlowRun &run) {
    const size_t count = run.operations.size();
    std::vector<double> alone;
    double sum = 0;
    for (const OpId id : run.operations)
      sum += alone.emplace_back(costs_.operationUs(program_, program_.operation(id)));
    if (sum <= costs_.leastGainUs())
      return;
    std::vector<double> least(count + 1, std::numeric_limits<double>::infinity());
    std::vector<size_t> from(count + 1, 0);
    least[0] = 0;
    const auto offer = [&](size_t first, size_t end, double timeUs) {
      if (least[first] + timeUs < least[end]) {
        least[end] = least[first] + timeUs;
        from[end] = first;
      }
    };
    for (size_t first = 0; first < count; ++first) {
      offer(first, first + 1, alone[first]);
      const size_t most = std::min(count - first, kMaxChainSteps);
      size_t factors = program_.operation(run.operations[first]).operands.size() - 1;
      for (size_t steps = 2; steps <= most; ++steps) {
        const Operation &last = program_.operation(run.operations[first + steps - 1]);
        factors += last.operands.size() - 1;
        if (factors > kMaxChainFactors)
          break;
        if (!isTried(steps) && first + steps != count)
          continue;
        // Predictions take long: none is made that cannot make a difference.
        const double leastUs = costs_.leastGainUs() +
                               costs_.moveUs(static_cast<double>(elemsOf(messageOf(run, first))) +
                                             static_cast<double>(elemsOf(last.result)));
        if (least[first] + leastUs >= least[first + steps])
          continue;
        const auto timeUs = costs_.chainUs(program_, messageOf(run, first),
                                           std::span(run.operations).subspan(first, steps));
        if (!timeUs)
          break;
        offer(first, first + steps, *timeUs + costs_.leastGainUs());
      }
    }
    MPF_CHECK(std::isfinite(least[count]), "{} operations one by one take {} us", count, sum);
    for (size_t end = count; end > 0; end = from[end])
      if (end - from[end] > 1)
        take(run, from[end], end - from[end]);
  }

  /// Whether a chain of `steps` operations is tried: 2, 3, 4, 6, 8, 12, 16, 24. Each prediction
  /// takes time, and a cut next to the best is good enough.
  static bool isTried(size_t steps) {
    while (steps > 4 && steps % 2 == 0)
      steps /= 2;
    return steps <= 4;
  }

  void take(const FlowRun &run, size_t first, size_t count) {
    const auto begin = run.operations.begin() + static_cast<ptrdiff_t>(first);
    Found found{0, {begin, begin + static_cast<ptrdiff_t>(count)}};
    const auto &operands = program_.operation(*begin).operands;
    found.messageSlot = static_cast<size_t>(
        std::find(operands.begin(), operands.end(), messageOf(run, first)) - operands.begin());
    MPF_CHECK(found.messageSlot < operands.size(), "operation {} does not read table {}", *begin,
              messageOf(run, first));
    found_.push_back(std::move(found));
  }

  /// Makes the operations of a chain consecutive, before its last one: nothing else reads their
  /// results.
  void gather() {
    std::sort(found_.begin(), found_.end(), [](const Found &a, const Found &b) {
      return a.operations.back() < b.operations.back();
    });
    const size_t count = program_.operations.size();
    std::vector<char> waits(count, 0);
    for (const Found &found : found_)
      for (const OpId id : found.operations)
        waits[id.index()] = 1;
    std::vector<OpId> order;
    std::vector<size_t> begins;
    for (size_t i = 0; i < count; ++i) {
      if (!waits[i])
        order.emplace_back(i);
      if (begins.size() == found_.size() || found_[begins.size()].operations.back() != OpId{i})
        continue;
      const std::vector<OpId> &chain = found_[begins.size()].operations;
      begins.push_back(order.size());
      order.insert(order.end(), chain.begin(), chain.end());
    }
    MPF_CHECK(begins.size() == found_.size() && order.size() == count,
              "{} of {} chains begin, {} of {} operations have a place", begins.size(),
              found_.size(), order.size(), count);
    compactProgram(program_, order);
    for (size_t i = 0; i < found_.size(); ++i) {
      const OpId first{begins[i]};
      const size_t length = found_[i].operations.size();
      MPF_CHECK(length >= 2 && length <= kMaxChainSteps, "a chain of {} operations", length);
      program_.chains.push_back({program_.operation(first).operands[found_[i].messageSlot], first,
                                 static_cast<uint32_t>(length)});
    }
  }

  TableProgram &program_;
  DeviceCosts &costs_;
  const ChainRules rules_;
  std::vector<Found> found_;
};

} // namespace

void passFindChains(TableProgram &program, DeviceCosts &costs) {
  program.chains.clear();
  // Most programs are small: no path in them can save what a kernel costs to compile.
  double sumUs = 0;
  for (const Operation &operation : program.operations)
    sumUs += costs.operationUs(program, operation);
  if (sumUs > costs.leastGainUs())
    ChainFinder(program, costs).find();
}

} // namespace mpf
