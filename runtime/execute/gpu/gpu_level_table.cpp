#include "runtime/execute/gpu/gpu_level_table.h"

#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/counts.h"
#include "dsl/support/error.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <span>

namespace mpf {

namespace {

constexpr uint64_t kMostCounted = std::numeric_limits<int32_t>::max();

/// How addresses are taken apart: into low parts below `lows`, and high ones.
struct AddressParts {
  uint64_t lows = 1;
  uint64_t entries = 0;  ///< of both tables, for one slot
  double digitSteps = 0; ///< steps over a digit that it takes to fill them
};

/// So that the tables are shortest.
AddressParts shortestParts(std::span<const GpuDigit> digits, const AddressRange &range) {
  const auto partsOf = [&](uint64_t lows) {
    const uint64_t entries = lows + (range.end - 1) / lows - range.first / lows + 1;
    return AddressParts{lows, entries,
                        static_cast<double>(entries) * static_cast<double>(digits.size())};
  };
  AddressParts best = partsOf(1);
  uint64_t lows = 1;
  for (size_t d = digits.size(); d-- > 0;) {
    lows = saturatingMul(lows, digits[d].extent);
    if (lows > range.end)
      break;
    if (const AddressParts parts = partsOf(lows); parts.entries < best.entries)
      best = parts;
  }
  return best;
}

/// Steps over a digit without tables: once for each output, and for each run of terms along the
/// last digit (mpfReduceStretch).
double directSteps(const GpuOperation &operation, const std::vector<GpuDigit> &digits,
                   const LevelTask &task) {
  const double terms = static_cast<double>(task.terms.end - task.terms.first);
  const double run = operation.reducedDigits > 0 ? static_cast<double>(digits.back().extent) : 1.0;
  return static_cast<double>(task.outputs.end - task.outputs.first) *
         (operation.keptDigits + std::max(1.0, terms / run) * operation.reducedDigits);
}

/// Whether addresses and offsets are numbers of 32 bits.
bool fitsWords(const GpuOperation &operation, const std::vector<GpuDigit> &digits) {
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  for (size_t slot = 0; slot < kTableOperands + 1; ++slot) {
    uint64_t last = 0;
    for (const GpuDigit &digit : digits)
      last = saturatingAdd(last, saturatingMul(digit.extent - 1, digit.strideElems[slot]));
    if (last > kMost)
      return false;
  }
  return operation.keptAddresses <= kMost && operation.reducedAddresses <= kMost;
}

/// One mapping vector.
class MappingTable {
public:
  MappingTable(const LevelMapping &mapping, const GpuOperationTable &table,
               const GpuRecords &records, bool normalises)
      : mapping_(mapping), table_(table), records_(records), normalises_(normalises) {
    for (const LevelBlock &block : mapping.blocks)
      for (const LevelStep &step : block)
        for (const LevelTask &task : step.tasks)
          noteTeam(task);
  }

  size_t steps() const {
    size_t most = 0;
    for (const LevelBlock &block : mapping_.blocks)
      most = std::max(most, block.size());
    return most;
  }
  uint64_t partials() const { return partials_; }

  void append(std::vector<GpuLevelTask> &tasks) {
    const size_t steps = this->steps();
    for (const LevelBlock &block : mapping_.blocks) {
      for (const LevelStep &step : block)
        append(step, tasks);
      tasks.resize(tasks.size() + (steps - block.size()) * kLevelWarps);
    }
  }

private:
  /// The blocks that share an operation.
  struct Teams {
    int32_t count = 0, begun = 0;
    uint64_t partial = 0; ///< where their sums begin, if they have parts of the terms
  };

  bool isPartial(const LevelTask &task) const {
    return task.terms.end - task.terms.first != table_.operations[task.operation].reducedAddresses;
  }

  void noteTeam(const LevelTask &task) {
    Teams &teams = teams_[task.operation];
    if (teams.count++ == 0)
      teams.partial = partials_;
    if (isPartial(task))
      partials_ += task.outputs.end;
  }

  void append(const LevelStep &step, std::vector<GpuLevelTask> &tasks) {
    const size_t first = tasks.size();
    for (const LevelTask &task : step.tasks)
      tasks.push_back(taskOf(task, step.wholeBlock));
    // The whole block's task stands in all entries; warps without one are idle.
    tasks.resize(first + kLevelWarps, step.wholeBlock ? tasks[first] : GpuLevelTask());
    for (size_t i = first; i < tasks.size(); ++i)
      tasks[i].flags |= step.barrier ? kTaskBarrier : 0;
  }

  GpuLevelTask taskOf(const LevelTask &task, bool wholeBlock) {
    const GpuOperation &operation = table_.operations[task.operation];
    Teams &teams = teams_.at(task.operation);
    GpuLevelTask device;
    device.firstOutput = task.outputs.first;
    device.endOutput = task.outputs.end;
    device.firstTerm = task.terms.first;
    device.endTerm = task.terms.end;
    device.record = static_cast<int32_t>(records_.first[task.operation]);
    device.units = static_cast<int32_t>(records_.count(task.operation));
    device.lanes = static_cast<int32_t>(levelLanes(task.outputs.end - task.outputs.first,
                                                   task.terms.end - task.terms.first,
                                                   wholeBlock ? kTableDrivenThreads : 32));
    device.flags = (wholeBlock ? kTaskBlock : 0) | (teams.begun == 0 ? kTaskFirst : 0);
    if (normalises_ && operation.keptAddresses <= kLevelNormalisedElems)
      device.flags |= kTaskNormalises;
    device.teams = teams.count;
    if (isPartial(task)) {
      device.firstPartial = static_cast<int32_t>(teams.partial);
      device.partial = static_cast<int32_t>(teams.partial + static_cast<uint64_t>(teams.begun) *
                                                                operation.keptAddresses);
    }
    device.counter = static_cast<int32_t>(task.operation);
    layTables(task, wholeBlock, device);
    ++teams.begun;
    return device;
  }

  /// Offset tables, where they pay and fit the room behind the record.
  void layTables(const LevelTask &task, bool wholeBlock, GpuLevelTask &device) const {
    const GpuOperation &operation = table_.operations[task.operation];
    const std::vector<GpuDigit> &digits = table_.digits[task.operation];
    const auto operands = static_cast<size_t>(operation.operandCount);
    if (operands > kTabledOperands || !fitsWords(operation, digits))
      return;
    const std::span all(digits);
    const auto kept = static_cast<size_t>(operation.keptDigits);
    const AddressParts outputs = shortestParts(all.first(kept), task.outputs);
    const AddressParts terms = shortestParts(all.subspan(kept), task.terms);
    if (2 * (outputs.digitSteps + terms.digitSteps) > directSteps(operation, digits, task))
      return;
    const size_t record = records_.count(task.operation);
    const size_t room = (wholeBlock ? kLevelWarps * kRecordUnits : kRecordUnits) -
                        (record <= kRecordUnits ? record : 0);
    constexpr size_t kUnitWords = sizeof(GpuRecordUnit) / sizeof(uint32_t);
    if (outputs.entries > room * kUnitWords || terms.entries > room * kUnitWords ||
        outputs.entries * (operands + 1) + terms.entries * operands > room * kUnitWords)
      return;
    device.outputLows = static_cast<int32_t>(outputs.lows);
    device.termLows = static_cast<int32_t>(terms.lows);
  }

  const LevelMapping &mapping_;
  const GpuOperationTable &table_;
  const GpuRecords &records_;
  const bool normalises_;
  std::map<uint32_t, Teams> teams_; // by operation
  uint64_t partials_ = 0;
};

} // namespace

void GpuRecords::set(uint32_t index, const GpuOperation &operation) {
  std::memcpy(&units[first[index]], &operation, sizeof operation);
}

GpuRecords buildGpuRecords(const GpuOperationTable &table) {
  GpuRecords records;
  for (size_t i = 0; i < table.operations.size(); ++i) {
    const std::vector<GpuDigit> &digits = table.digits[i];
    const size_t first = records.units.size();
    records.first.push_back(static_cast<uint32_t>(first));
    records.units.resize(first + kRecordOperationUnits + digits.size() * kRecordDigitUnits);
    std::memcpy(&records.units[first], &table.operations[i], sizeof(GpuOperation));
    if (!digits.empty())
      std::memcpy(&records.units[first + kRecordOperationUnits], digits.data(),
                  digits.size() * sizeof(GpuDigit));
  }
  records.first.push_back(static_cast<uint32_t>(records.units.size()));
  return records;
}

GpuLevelTable buildGpuLevelTable(const LaunchPlan &plan, const GpuOperationTable &table,
                                 const GpuRecords &records, bool normalises) {
  GpuLevelTable result;
  for (const LevelMapping &mapping : plan.mappings) {
    MappingTable one(mapping, table, records, normalises);
    result.places.push_back({static_cast<int32_t>(result.tasks.size() / kLevelWarps),
                             static_cast<int32_t>(one.steps())});
    one.append(result.tasks);
    result.partials = std::max(result.partials, one.partials());
    if (result.tasks.size() / kLevelWarps > kMostCounted || result.partials > kMostCounted)
      fail(ErrorKind::MemoryBound, "a launch plan of {} steps with {} partial sums is too large",
           result.tasks.size() / kLevelWarps, result.partials);
  }
  return result;
}

uint64_t partialBytes(ElementType type) { return 2 * elementBytes(type); }

} // namespace mpf
