#include "codegen/lanes/lane_memory.h"

#include "dsl/support/check.h"
#include "dsl/support/memory/arena.h"

#include <algorithm>

namespace mpf {

namespace {

class LaneMemory {
public:
  explicit LaneMemory(LaneProgram &program)
      : program_(program), lastUse_(program.tables.size(), 0) {}

  void plan() {
    findLastUses();
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      place(messageOf(program_.steps[i]));
      release(i);
    }
    program_.laneElems = arena_.highWaterBytes();
  }

private:
  static uint32_t messageOf(const LaneStep &step) {
    if (const auto *gather = std::get_if<LaneGather>(&step))
      return gather->message;
    return std::get<LaneOperation>(step).result.table;
  }

  void use(uint32_t table, size_t step) { lastUse_[table] = std::max(lastUse_[table], step); }

  void findLastUses() {
    const size_t end = program_.steps.size();
    for (size_t i = 0; i < end; ++i) {
      use(messageOf(program_.steps[i]), i);
      if (const auto *operation = std::get_if<LaneOperation>(&program_.steps[i]))
        for (const LaneAccess &operand : operation->operands)
          use(operand.table, i);
    }
    for (const LaneOutput &output : program_.outputs)
      use(output.access.table, end);
    for (const LaneTraceback &step : program_.traceback)
      for (const LaneTraceback::Table &table : step.tables)
        use(table.access.table, end);
  }

  void place(uint32_t index) {
    LaneTable &table = program_.tables[index];
    MPF_CHECK(table.kind == LaneTableKind::Message, "a step writes {}", table.name);
    table.offsetElems = arena_.allocate(table.sizeElems);
    live_.push_back(index);
  }

  /// What step i was the last to need.
  void release(size_t i) {
    std::erase_if(live_, [this, i](uint32_t index) {
      if (lastUse_[index] != i)
        return false;
      arena_.release(program_.tables[index].offsetElems, program_.tables[index].sizeElems);
      return true;
    });
  }

  LaneProgram &program_;
  std::vector<size_t> lastUse_; ///< by table: the step that reads or writes it last
  std::vector<uint32_t> live_;  ///< messages that have a place now
  Arena arena_;
};

} // namespace

void planLaneMemory(LaneProgram &program) { LaneMemory(program).plan(); }

} // namespace mpf
