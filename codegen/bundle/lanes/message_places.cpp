#include "codegen/bundle/lanes/message_places.h"

#include "dsl/support/check.h"
#include "dsl/support/memory/arena.h"

#include <algorithm>

namespace mpf {

namespace {

class Places {
public:
  Places(const LaneProgram &program, const std::vector<size_t> &runsAt)
      : program_(program), runsAt_(runsAt), lastUse_(program.tables.size(), 0),
        endAt_(program.steps.size() + 1) {
    places_.offsetsElems.assign(program.tables.size(), 0);
  }

  MessagePlaces find() {
    findLastUses();
    for (size_t i = 0; i < program_.steps.size(); ++i)
      if (runsAt_[i] == i) {
        place(messageOf(program_.steps[i]));
        release(i);
      }
    places_.laneElems = arena_.highWaterBytes();
    return std::move(places_);
  }

private:
  void use(uint32_t table, size_t step) { lastUse_[table] = std::max(lastUse_[table], step); }

  void findLastUses() {
    const size_t end = program_.steps.size();
    for (size_t i = 0; i < end; ++i) {
      use(messageOf(program_.steps[i]), runsAt_[i]);
      if (const auto *operation = std::get_if<LaneOperation>(&program_.steps[i]))
        for (const LaneAccess &operand : operation->operands)
          use(operand.table, runsAt_[i]);
    }
    for (const LaneOutput &output : program_.outputs)
      use(output.access.table, end);
    for (const LaneTraceback &step : program_.traceback)
      for (const LaneTraceback::Table &table : step.tables)
        use(table.access.table, end);
  }

  void place(uint32_t index) {
    const LaneTable &table = program_.tables[index];
    MPF_CHECK(table.kind == LaneTableKind::Message, "a step writes {}", table.name);
    places_.offsetsElems[index] = arena_.allocate(table.sizeElems);
    endAt_[lastUse_[index]].push_back(index);
  }

  /// Releases the messages that step i was the last to need.
  void release(size_t i) {
    for (const uint32_t index : endAt_[i])
      arena_.release(places_.offsetsElems[index], program_.tables[index].sizeElems);
  }

  const LaneProgram &program_;
  const std::vector<size_t> &runsAt_;
  std::vector<size_t> lastUse_; ///< by table: the step that reads or writes it last
  /// The messages that keep their place until a step, by step; the last element is for the end of
  /// the program. Messages are in the order in which they got their places.
  std::vector<std::vector<uint32_t>> endAt_;
  Arena arena_;
  MessagePlaces places_;
};

} // namespace

MessagePlaces placeMessages(const LaneProgram &program, const std::vector<size_t> &runsAt) {
  return Places(program, runsAt).find();
}

} // namespace mpf
