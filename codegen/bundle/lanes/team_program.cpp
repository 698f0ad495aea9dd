#include "codegen/bundle/lanes/team_program.h"

#include "codegen/bundle/lanes/lane_addresses.h"
#include "codegen/bundle/lanes/shared_tables.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// The stretches of the arena in use since the warps last waited for each other.
class Stretches {
public:
  void add(uint64_t begin, uint64_t size) { list_.emplace_back(begin, begin + size); }
  bool meets(uint64_t begin, uint64_t size) const {
    return std::any_of(list_.begin(), list_.end(), [=](const auto &stretch) {
      return begin < stretch.second && stretch.first < begin + size;
    });
  }
  void clear() { list_.clear(); }

private:
  std::vector<std::pair<uint64_t, uint64_t>> list_;
};

class TeamBuilder {
public:
  TeamBuilder(const LaneProgram &program, const LinearPlan &plan)
      : program_(program), plan_(plan), places_(program.tables.size(), 0),
        slots_(program.tables.size(), -1) {
    result_.layout.codesPerWord = 4 / codeBytesFor(program.schema);
    for (uint32_t column = 0; column < program.schema.observed.size(); ++column)
      result_.layout.codeOrder.push_back(column);
  }

  TeamProgram build() {
    result_.work = teamWork(program_);
    placeImage();
    placeArena();
    addWeights();
    for (const LaneStep &step : program_.steps)
      std::visit([this](const auto &one) { addStep(one); }, step);
    for (uint32_t o = 0; o < program_.outputs.size(); ++o)
      addOutput(o);
    for (const LaneTraceback &step : program_.traceback)
      addDecoding(step);
    return std::move(result_);
  }

private:
  void placeImage() {
    for (const uint32_t t : sharedTables(program_)) {
      const LaneTable &table = program_.tables[t];
      LaneImageTable placed;
      placed.table = t;
      placed.offsetElems = places_[t] = result_.layout.imageElems;
      placed.rowElems = placed.pitchElems = table.sizeElems;
      result_.layout.image.push_back(placed);
      result_.layout.imageElems += table.sizeElems;
    }
    teamNumber(result_.layout.imageElems);
  }

  void placeArena() {
    result_.arenaElems = program_.laneElems;
    for (uint32_t t = 0; t < program_.tables.size(); ++t) {
      const LaneTable &table = program_.tables[t];
      if (!table.perCase())
        continue;
      places_[t] = table.offsetElems;
      if (table.kind == LaneTableKind::Weights) {
        places_[t] = result_.arenaElems;
        result_.arenaElems += table.sizeElems;
      }
      if (plan_.hasExponent[t] != 0)
        slots_[t] = teamNumber(result_.slotCount++);
    }
    teamNumber(result_.arenaElems);
  }

  void addWeights() {
    for (uint32_t t = 0; t < program_.tables.size(); ++t) {
      if (program_.tables[t].kind != LaneTableKind::Weights)
        continue;
      TeamStep step;
      step.kind = TeamStepKind::Weights;
      step.kept = teamNumber(program_.tables[t].sizeElems);
      step.reduced = teamNumber(program_.schema.firstWeight(program_.tables[t].source));
      push(step, t, {});
    }
  }

  void addStep(const LaneGather &gather) {
    const bool isIndicator = program_.tables[gather.table].kind == LaneTableKind::Indicator;
    TeamStep step;
    step.kind = isIndicator ? TeamStepKind::Indicator : TeamStepKind::Gather;
    step.kept = teamNumber(program_.tables[gather.message].sizeElems);
    step.reduced = teamNumber(places_[gather.table]);
    step.firstPart = teamNumber(result_.parts.size());
    step.parts = teamNumber(gather.codes.size());
    const auto bits = static_cast<int32_t>(32 / result_.layout.codesPerWord);
    for (const LaneCode &code : gather.codes) { // words hold the columns in the schema's order
      const auto perWord = result_.layout.codesPerWord;
      result_.parts.push_back(
          {teamNumber(code.column / perWord), static_cast<int32_t>(code.column % perWord) * bits,
           teamNumber(code.strideElems), bits == 32 ? -1 : (int32_t{1} << bits) - 1});
    }
    push(step, gather.message, {});
  }

  void addStep(const LaneOperation &operation) {
    const TeamSplit split = splitTeamOperation(operation);
    teamNumber(saturatingAdd(result_.addresses.size(), teamListElems(operation, split)));
    TeamStep step;
    step.kind = operation.semiring.reduce == Reduce::Max ? TeamStepKind::Max : TeamStepKind::Sum;
    step.kept = teamNumber(operation.keptAddresses());
    step.reduced = teamNumber(operation.reducedAddresses());
    step.firstPart = teamNumber(result_.parts.size());
    step.parts = teamNumber(operation.operands.size());
    step.leftParts = teamNumber(split.leftOperands.size());
    step.left = teamNumber(split.leftCount);
    step.right = teamNumber(split.rightCount);
    step.rest = teamNumber(split.restCount);
    step.lists = addTeamLists(operation, split, places_, result_.addresses);
    std::vector<uint32_t> read;
    for (const auto &side : {split.leftOperands, split.rightOperands})
      for (const size_t s : side) {
        const uint32_t table = operation.operands[s].table;
        const bool perCase = program_.tables[table].perCase();
        result_.parts.push_back({perCase ? kTeamArena : kTeamImage, 0, 0, slots_[table]});
        if (perCase)
          read.push_back(table);
      }
    push(step, operation.result.table, read);
  }

  int32_t addAddresses(const std::vector<uint64_t> &list, uint64_t base) {
    const int32_t place = teamNumber(result_.addresses.size());
    for (const uint64_t address : list)
      result_.addresses.push_back(teamNumber(base + address));
    return place;
  }

  /// Adds a step that writes a message. Warps wait before it if one may need entries that another
  /// has written, or may write where another still reads.
  void push(TeamStep step, uint32_t message, const std::vector<uint32_t> &read) {
    step.result = teamNumber(places_[message]);
    step.slot = slots_[message];
    if (plan_.rescaled[message] != 0)
      step.flags |= kTeamRescales;
    const auto size = [this](uint32_t table) { return program_.tables[table].sizeElems; };
    bool waits = written_.meets(places_[message], size(message)) ||
                 read_.meets(places_[message], size(message));
    for (const uint32_t table : read)
      waits |= written_.meets(places_[table], size(table));
    if (waits) {
      step.flags |= kTeamWaits;
      written_.clear();
      read_.clear();
    }
    written_.add(places_[message], size(message));
    for (const uint32_t table : read)
      read_.add(places_[table], size(table));
    result_.steps.push_back(step);
  }

  void addOutput(uint32_t number) {
    const LaneOutput &output = program_.outputs[number];
    const uint32_t table = output.access.table;
    const std::vector<uint64_t> addresses = outputAddresses(output);
    TeamStep step;
    step.kind = TeamStepKind::Output;
    step.kept = teamNumber(addresses.size());
    step.reduced = -1;
    step.result = teamNumber(result_.layout.resultElems);
    step.firstPart = addAddresses(addresses, places_[table]);
    step.slot = slots_[table];
    step.flags = (output.normalised ? kTeamNormalises : 0) | (number == 0 ? kTeamWaits : 0);
    if (!output.normalised && step.slot >= 0) {
      step.reduced = teamNumber(result_.layout.exponentOutputs.size());
      result_.layout.exponentOutputs.push_back(number);
    }
    result_.layout.resultElems += addresses.size();
    result_.steps.push_back(step);
  }

  void addDecoding(const LaneTraceback &choice) {
    TeamStep step;
    step.kind = TeamStepKind::Decode;
    step.kept = teamNumber(program_.variables[choice.variable.index()].extent);
    step.result = teamNumber(choice.variable.index());
    step.firstPart = teamNumber(result_.parts.size());
    step.parts = teamNumber(choice.tables.size());
    for (const LaneTraceback::Table &table : choice.tables) {
      TeamPart part;
      part.where = program_.tables[table.access.table].perCase() ? kTeamArena : kTeamImage;
      part.kept = teamNumber(places_[table.access.table] + table.access.baseElems);
      part.reduced = teamNumber(result_.addresses.size());
      part.slot = teamNumber(table.scope.size());
      for (size_t i = 0; i < table.scope.size(); ++i) {
        result_.addresses.push_back(teamNumber(table.scope[i].index()));
        result_.addresses.push_back(teamNumber(table.access.stridesElems[i]));
      }
      result_.parts.push_back(part);
    }
    result_.steps.push_back(step);
  }

  const LaneProgram &program_;
  const LinearPlan &plan_;
  std::vector<uint64_t> places_; ///< by table: first entry in the arena or the image
  std::vector<int32_t> slots_;   ///< by table: of its exponents
  Stretches written_, read_;
  TeamProgram result_;
};

} // namespace

std::string teamKernelName(ElementType type) {
  return fmt::format("lane_teams_{}", elementTypeName(type));
}

TeamProgram buildTeamProgram(const LaneProgram &program, const LinearPlan &plan) {
  return TeamBuilder(program, plan).build();
}

} // namespace mpf
