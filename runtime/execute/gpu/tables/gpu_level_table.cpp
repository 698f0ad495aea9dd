#include "runtime/execute/gpu/tables/gpu_level_table.h"

#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/counts.h"
#include "dsl/support/error.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <span>

namespace mpf {

namespace {

constexpr uint64_t kMostCounted = std::numeric_limits<int32_t>::max();

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
    // What is asked of every task, worked out once (task_shape.h).
    uint64_t lanesForLines = 1;
    bool isInOrder = false, fitsWords = false;
  };

  bool isPartial(const LevelTask &task) const {
    return task.terms.end - task.terms.first != table_.operations[task.operation].reducedAddresses;
  }

  void noteTeam(const LevelTask &task) {
    Teams &teams = teams_[task.operation];
    if (teams.count++ == 0) {
      const GpuOperation &operation = table_.operations[task.operation];
      const std::vector<GpuDigit> &digits = table_.digits[task.operation];
      teams.partial = partials_;
      teams.lanesForLines =
          lanesForLines(operation, digits, static_cast<double>(table_.entryBytes));
      teams.isInOrder = standsInOrder(operation, digits);
      teams.fitsWords = fitsWords(operation, digits);
    }
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
    const uint64_t terms = task.terms.end - task.terms.first;
    const uint64_t forThreads = levelLanes(task.outputs.end - task.outputs.first, terms,
                                           wholeBlock ? kTableDrivenThreads : 32);
    const uint64_t forLines = std::min(teams.lanesForLines, std::bit_floor(terms));
    device.lanes = static_cast<int32_t>(std::max(forThreads, forLines));
    device.flags = (wholeBlock ? kTaskBlock : 0) | (teams.begun == 0 ? kTaskFirst : 0);
    if (teams.isInOrder)
      device.flags |= kTaskInOrder;
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

  /// Offset rows, where they fit the room behind the record.
  void layTables(const LevelTask &task, bool wholeBlock, GpuLevelTask &device) const {
    const GpuOperation &operation = table_.operations[task.operation];
    const std::vector<GpuDigit> &digits = table_.digits[task.operation];
    const size_t record = records_.count(task.operation);
    const size_t room = wholeBlock ? kLevelWarps * kRecordUnits : kRecordUnits;
    if (record > room)
      fail(ErrorKind::Unsupported, "operation {} has {} digits: a warp has room for {}",
           task.operation, digits.size(), kRecordDigits);
    if (!teams_.at(task.operation).fitsWords)
      return;
    const std::span all(digits);
    const auto kept = static_cast<size_t>(operation.keptDigits);
    const GpuAddressParts outputs = fewestRows(all.first(kept), task.outputs);
    const GpuAddressParts terms = fewestRows(all.subspan(kept), task.terms);
    const uint64_t rowUnits = ceilDivide(static_cast<uint64_t>(operation.operandCount),
                                         sizeof(GpuRecordUnit) / sizeof(uint32_t));
    if ((outputs.rows() + terms.rows()) * rowUnits > room - record)
      return;
    device.outputParts = outputs;
    device.termParts = terms;
    device.flags |= kTaskTabled;
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
