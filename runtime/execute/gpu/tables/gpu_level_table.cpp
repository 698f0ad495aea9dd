#include "runtime/execute/gpu/tables/gpu_level_table.h"

#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <span>

namespace mpf {

namespace {

constexpr uint64_t kMostCounted = std::numeric_limits<int32_t>::max();

/// Builds the tasks of one mapping vector.
class MappingTable {
public:
  MappingTable(const LevelMapping &mapping, const GpuOperationTable &table,
               const GpuRecords &records, bool normalises)
      : mapping_(mapping), table_(table), records_(records), normalises_(normalises) {
    for (const LevelBlock &block : mapping.blocks)
      for (size_t i = 0; i < block.size(); ++i) {
        notePhase(block, i);
        for (const LevelTask &task : block[i].tasks)
          noteTeam(task);
      }
    for (auto &[operation, teams] : teams_) {
      teams.partial = partials_;
      partials_ += teams.parts.size() * table.operations[operation].keptAddresses;
    }
  }

  size_t heads() const {
    const bool isShort = std::all_of(mapping_.blocks.begin(), mapping_.blocks.end(),
                                     [](const LevelBlock &block) { return block.size() == 1; });
    return isShort ? 1 : 2;
  }
  uint64_t partials() const { return partials_; }

  void append(std::vector<GpuLevelTask> &tasks) {
    const size_t heads = this->heads(), first = tasks.size();
    tasks.resize(first + mapping_.blocks.size() * heads * kLevelWarps);
    for (size_t block = 0; block < mapping_.blocks.size(); ++block) {
      const size_t steps = mapping_.blocks[block].size(), rest = tasks.size();
      tasks.resize(rest + (steps - std::min(steps, heads)) * kLevelWarps);
      const auto placeOf = [&](size_t step) {
        return step < heads ? first + (block * heads + step) * kLevelWarps
                            : rest + (step - heads) * kLevelWarps;
      };
      for (size_t step = 0; step < steps; ++step)
        put(block, step, step + 2 < steps ? placeOf(step + 2) / kLevelWarps : 0,
            std::span(tasks).subspan(placeOf(step), kLevelWarps));
    }
  }

private:
  struct Phase {
    uint32_t first = UINT32_MAX; ///< first operation of the phase
    int32_t blocks = 0;          ///< blocks that have a part of the phase
  };
  /// The blocks that share an operation.
  struct Teams {
    int32_t count = 0, begun = 0;
    uint64_t partial = 0;        ///< begin of their partial sums, if they have parts of the terms
    std::vector<uint64_t> parts; ///< first terms of these parts, ascending
    // Properties that all tasks need, computed once (task_shape.h).
    uint64_t lanesForLines = 1;
    bool isInOrder = false, fitsWords = false;
  };

  bool isPartial(const LevelTask &task) const {
    return task.terms.end - task.terms.first != table_.operations[task.operation].reducedAddresses;
  }

  /// True if the step is the block's first of its phase.
  static bool begins(const LevelBlock &block, size_t step) {
    return step == 0 || block[step].phase != block[step - 1].phase;
  }

  void notePhase(const LevelBlock &block, size_t step) {
    phases_.resize(std::max<size_t>(phases_.size(), block[step].phase + 1));
    Phase &phase = phases_[block[step].phase];
    phase.blocks += begins(block, step);
    for (const LevelTask &task : block[step].tasks)
      phase.first = std::min(phase.first, task.operation);
  }

  int32_t counterOf(uint32_t phase) const {
    return static_cast<int32_t>(table_.operations.size() + phases_[phase].first);
  }

  void noteTeam(const LevelTask &task) {
    Teams &teams = teams_[task.operation];
    if (teams.count++ == 0) {
      const GpuOperation &operation = table_.operations[task.operation];
      const std::vector<GpuDigit> &digits = table_.digits[task.operation];
      teams.lanesForLines =
          lanesForLines(operation, digits, static_cast<double>(table_.entryBytes));
      teams.isInOrder = standsInOrder(operation, digits);
      teams.fitsWords = fitsWords(operation, digits);
    }
    if (!isPartial(task))
      return;
    teams.parts.insert(std::lower_bound(teams.parts.begin(), teams.parts.end(), task.terms.first),
                       task.terms.first);
  }

  /// Writes a step. `ahead`: the place of the block's step after the next one.
  void put(size_t blockNumber, size_t number, size_t ahead, std::span<GpuLevelTask> tasks) {
    const LevelBlock &block = mapping_.blocks[blockNumber];
    const LevelStep &step = block[number];
    for (size_t i = 0; i < step.tasks.size(); ++i)
      tasks[i] = taskOf(step.tasks[i], step.wholeBlock);
    // A task of the whole block is in all entries; warps without a task are idle.
    if (step.wholeBlock)
      std::fill(tasks.begin() + 1, tasks.end(), tasks[0]);
    const bool isLast = number + 1 == block.size();
    const bool awaits = step.phase > 0 && begins(block, number);
    const bool ends = step.phase + 1 < phases_.size() && (isLast || begins(block, number + 1));
    for (GpuLevelTask &task : tasks) {
      task.flags |= (step.barrier ? kTaskBarrier : 0) | (isLast ? kTaskLast : 0);
      task.ahead = static_cast<int32_t>(ahead);
      if (awaits) {
        task.flags |= kTaskAwaits;
        task.awaited = counterOf(step.phase - 1);
        task.awaitedBlocks = phases_[step.phase - 1].blocks;
      }
      if (ends) {
        task.flags |= kTaskEnds;
        task.ended = counterOf(step.phase);
      }
    }
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
    if (table_.isSpecialised[task.operation] != 0)
      device.flags |= kTaskOnlyInexact;
    if (normalises_ && operation.keptAddresses <= kLevelNormalisedElems)
      device.flags |= kTaskNormalises;
    device.teams = teams.count;
    if (isPartial(task)) {
      // Partial sums are ordered by their terms, so that bits do not depend on the blocks that
      // compute them.
      const auto part = std::lower_bound(teams.parts.begin(), teams.parts.end(), task.terms.first) -
                        teams.parts.begin();
      device.firstPartial = static_cast<int32_t>(teams.partial);
      device.partial = static_cast<int32_t>(teams.partial +
                                            static_cast<uint64_t>(part) * operation.keptAddresses);
    }
    device.counter = static_cast<int32_t>(task.operation);
    layTables(task, wholeBlock, device);
    ++teams.begun;
    return device;
  }

  /// Adds offset rows if they fit behind the record.
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
  std::vector<Phase> phases_;
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
                             static_cast<int32_t>(one.heads())});
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
