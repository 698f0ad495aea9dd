#include "runtime/execute/lanes/strip_butterfly.h"

#include "dsl/support/merge_digits.h"

#include <algorithm>
#include <map>
#include <optional>

namespace mpf {

namespace {

constexpr uint64_t kStates = 2;

/// An operation as one stage: a table of the digits `replaced` and `made` replaces one by the other
/// in a message.
struct Stage {
  LaneOperation operation;
  size_t message = 0, table = 0; ///< operands
  size_t replaced = 0, made = 0; ///< digits

  const LaneAccess &messageAccess() const { return operation.operands[message]; }
  const LaneAccess &tableAccess() const { return operation.operands[table]; }
};

/// True if all strides differ, so that they identify digits.
bool hasDistinctStrides(std::vector<uint64_t> strides) {
  std::sort(strides.begin(), strides.end());
  return std::adjacent_find(strides.begin(), strides.end()) == strides.end();
}

std::optional<Stage> stageOf(const LaneProgram &program, const LaneStep &step) {
  const auto *given = std::get_if<LaneOperation>(&step);
  if (given == nullptr || given->operands.size() != 2)
    return std::nullopt;
  Stage stage{*given};
  dropSingleDigits(stage.operation);
  const std::vector<StridedDigit> &digits = stage.operation.digits;
  if (digits.size() != stage.operation.keptCount() + 1 || digits.back().extent != kStates)
    return std::nullopt;
  stage.replaced = digits.size() - 1;
  const auto size = [&](size_t operand) {
    return program.tables[stage.operation.operands[operand].table].sizeElems;
  };
  const size_t larger = size(1) > size(0) ? 1 : 0; // a small message may look like a 2 x 2 table
  for (const size_t message : {larger, 1 - larger}) {
    stage.message = message;
    stage.table = 1 - message;
    size_t lacking = 0;
    for (size_t d = 0; d < digits.size(); ++d)
      if (stage.messageAccess().stridesElems[d] == 0) {
        stage.made = d;
        ++lacking;
      }
    if (lacking == 1 && stage.made != stage.replaced && digits[stage.made].extent == kStates &&
        stage.tableAccess().stridesElems[stage.made] != 0 &&
        stage.tableAccess().stridesElems[stage.replaced] != 0 &&
        hasDistinctStrides(stage.messageAccess().stridesElems) &&
        program.tables[stage.messageAccess().table].perCase() &&
        program.tables[stage.tableAccess().table].perCase())
      return stage;
  }
  return std::nullopt;
}

/// A butterfly to which stages are added.
class OpenButterfly {
public:
  /// Returns the result of the last stage.
  uint32_t table() const { return result_.table; }
  size_t stages() const { return steps_.size(); }

  /// Adds a stage. Returns false, without a change, if it does not continue this butterfly. The
  /// first stage always fits.
  bool add(const Stage &stage, size_t step) {
    if (steps_.empty())
      begin(stage);
    const std::optional<std::vector<size_t>> places = placesOf(stage);
    if (!places)
      return false;
    const size_t replaced = (*places)[stage.replaced];
    if (stageOfDigit_[replaced] != kPassive)
      return false; // an earlier stage made this state
    const std::vector<uint64_t> &strides = stage.tableAccess().stridesElems;
    tables_.push_back({stage.tableAccess(), std::vector<uint64_t>(extents_.size()), 0});
    for (size_t d = 0; d < strides.size(); ++d)
      if (d != stage.made)
        tables_.back().strides[(*places)[d]] = strides[d];
    tables_.back().made = strides[stage.made];
    for (size_t d = 0; d < strides.size(); ++d)
      if (d != stage.replaced)
        strides_[d == stage.made ? replaced : (*places)[d]] =
            stage.operation.result.stridesElems[d];
    stageOfDigit_[replaced] = steps_.size();
    result_ = stage.operation.result;
    steps_.push_back(step);
    return true;
  }

  Butterfly close() const {
    Butterfly made;
    made.steps = steps_;
    std::vector<size_t> passive;
    for (size_t d = 0; d < extents_.size(); ++d)
      if (stageOfDigit_[d] == kPassive)
        passive.push_back(d);
    // The order of passive digits makes the loop read consecutive entries of the message.
    std::stable_sort(passive.begin(), passive.end(),
                     [this](size_t a, size_t b) { return inputStrides_[a] > inputStrides_[b]; });
    for (const size_t d : passive)
      made.extents.push_back(extents_[d]);
    const auto access = [&](const LaneAccess &of, const std::vector<uint64_t> &strides) {
      ButterflyAccess one{of.table, of.baseElems, {}, {}, 0};
      for (const size_t d : passive)
        one.stridesElems.push_back(strides[d]);
      for (size_t d = 0; d < extents_.size(); ++d)
        if (stageOfDigit_[d] != kPassive)
          one.stageStrides[stageOfDigit_[d]] = strides[d];
      return one;
    };
    made.input = access(input_, inputStrides_);
    made.result = access(result_, strides_);
    for (const Table &table : tables_) {
      made.tables.push_back(access(table.access, table.strides));
      made.tables.back().madeStride = table.made;
    }
    return made;
  }

private:
  static constexpr size_t kPassive = SIZE_MAX;
  struct Table {
    LaneAccess access;
    std::vector<uint64_t> strides; ///< by digit of the butterfly
    uint64_t made = 0;
  };

  void begin(const Stage &stage) {
    input_ = result_ = stage.messageAccess();
    for (size_t d = 0; d < stage.operation.digits.size(); ++d)
      if (d != stage.made) {
        extents_.push_back(stage.operation.digits[d].extent);
        strides_.push_back(stage.messageAccess().stridesElems[d]);
      }
    inputStrides_ = strides_;
    stageOfDigit_.assign(extents_.size(), kPassive);
  }

  /// Returns the butterfly's digit for each digit of the stage except the made one. Digits
  /// correspond if they have equal strides in the message between the stages.
  std::optional<std::vector<size_t>> placesOf(const Stage &stage) const {
    const LaneAccess &message = stage.messageAccess();
    const std::vector<StridedDigit> &digits = stage.operation.digits;
    if (message.baseElems != result_.baseElems || digits.size() != extents_.size() + 1)
      return std::nullopt;
    std::vector<size_t> places(digits.size(), SIZE_MAX);
    for (size_t d = 0; d < digits.size(); ++d) {
      if (d == stage.made)
        continue;
      const size_t place = static_cast<size_t>(
          std::find(strides_.begin(), strides_.end(), message.stridesElems[d]) - strides_.begin());
      if (place == strides_.size() || extents_[place] != digits[d].extent)
        return std::nullopt;
      places[d] = place;
    }
    return places;
  }

  std::vector<size_t> steps_;
  LaneAccess input_, result_;
  std::vector<uint64_t> extents_; ///< by digit
  /// Strides of the input, and of the last result; by digit.
  std::vector<uint64_t> inputStrides_, strides_;
  std::vector<size_t> stageOfDigit_; ///< by digit: the stage that replaces it
  std::vector<Table> tables_;
};

/// Counts how often steps, outputs and the traceback read each table.
std::vector<uint32_t> readersOf(const LaneProgram &program) {
  std::vector<uint32_t> readers(program.tables.size(), 0);
  for (const LaneStep &step : program.steps) {
    if (const auto *gather = std::get_if<LaneGather>(&step))
      ++readers[gather->table];
    else
      for (const LaneAccess &operand : std::get<LaneOperation>(step).operands)
        ++readers[operand.table];
  }
  for (const LaneOutput &output : program.outputs)
    ++readers[output.access.table];
  for (const LaneTraceback &step : program.traceback)
    for (const LaneTraceback::Table &table : step.tables)
      ++readers[table.access.table];
  return readers;
}

} // namespace

std::vector<Butterfly> findButterflies(const LaneProgram &program, const LinearPlan &plan) {
  const std::vector<uint32_t> readers = readersOf(program);
  std::vector<Butterfly> found;
  std::map<uint32_t, OpenButterfly> open; // by the result of its last stage
  const auto close = [&found](const OpenButterfly &one) {
    if (one.stages() > 1)
      found.push_back(one.close());
  };
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const std::optional<Stage> stage = stageOf(program, program.steps[i]);
    if (!stage)
      continue;
    std::optional<OpenButterfly> current;
    if (const auto before = open.find(stage->messageAccess().table); before != open.end()) {
      current = std::move(before->second);
      open.erase(before);
    }
    if (!current || !current->add(*stage, i)) {
      if (current)
        close(*current);
      current.emplace().add(*stage, i);
    }
    const bool goesOn = current->stages() < kMostStages && readers[current->table()] == 1 &&
                        plan.rescaled[current->table()] == 0;
    if (goesOn)
      open.emplace(current->table(), std::move(*current));
    else
      close(*current);
  }
  for (const auto &[table, one] : open)
    close(one);
  std::sort(found.begin(), found.end(),
            [](const Butterfly &a, const Butterfly &b) { return a.steps.back() < b.steps.back(); });
  return found;
}

} // namespace mpf
