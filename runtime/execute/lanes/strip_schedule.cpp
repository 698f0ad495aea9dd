#include "runtime/execute/lanes/strip_schedule.h"

#include "dsl/support/memory/arena.h"

#include <algorithm>

namespace mpf {

namespace {

uint32_t messageOf(const LaneStep &step) {
  const auto *gather = std::get_if<LaneGather>(&step);
  return gather != nullptr ? gather->message : std::get<LaneOperation>(step).result.table;
}

/// Places by best fit, as those of the program.
class Places {
public:
  Places(const LaneProgram &program, StripSchedule &schedule)
      : program_(program), schedule_(schedule), lastUse_(program.tables.size(), 0) {}

  void plan() {
    const size_t end = program_.steps.size();
    for (size_t i = 0; i < end; ++i)
      findUses(i);
    for (const LaneOutput &output : program_.outputs)
      lastUse_[output.access.table] = end;
    for (const LaneTraceback &step : program_.traceback)
      for (const LaneTraceback::Table &table : step.tables)
        lastUse_[table.access.table] = end;
    for (size_t i = 0; i < end; ++i)
      if (schedule_.runs(i)) {
        place(messageOf(program_.steps[i]));
        release(i);
      }
    schedule_.laneElems = arena_.highWaterBytes();
  }

private:
  void use(uint32_t table, size_t step) { lastUse_[table] = std::max(lastUse_[table], step); }

  void findUses(size_t i) {
    const size_t of = schedule_.butterflyOf[i];
    const size_t at = of == StripSchedule::kAlone ? i : schedule_.butterflies[of].steps.back();
    use(messageOf(program_.steps[i]), at);
    if (const auto *operation = std::get_if<LaneOperation>(&program_.steps[i]))
      for (const LaneAccess &operand : operation->operands)
        use(operand.table, at);
  }

  void place(uint32_t table) {
    schedule_.offsetsElems[table] = arena_.allocate(program_.tables[table].sizeElems);
    live_.push_back(table);
  }

  /// What step i was the last to need.
  void release(size_t i) {
    std::erase_if(live_, [this, i](uint32_t table) {
      if (lastUse_[table] != i)
        return false;
      arena_.release(schedule_.offsetsElems[table], program_.tables[table].sizeElems);
      return true;
    });
  }

  const LaneProgram &program_;
  StripSchedule &schedule_;
  std::vector<size_t> lastUse_; ///< by table: the step that reads or writes it last
  std::vector<uint32_t> live_;  ///< messages that have a place now
  Arena arena_;
};

} // namespace

StripSchedule scheduleAlone(const LaneProgram &program) {
  StripSchedule schedule;
  schedule.butterflyOf.assign(program.steps.size(), StripSchedule::kAlone);
  for (const LaneTable &table : program.tables)
    schedule.offsetsElems.push_back(table.offsetElems);
  schedule.laneElems = program.laneElems;
  return schedule;
}

StripSchedule scheduleButterflies(const LaneProgram &program, const LinearPlan &plan) {
  StripSchedule schedule = scheduleAlone(program);
  schedule.butterflies = findButterflies(program, plan);
  if (schedule.butterflies.empty())
    return schedule;
  for (size_t b = 0; b < schedule.butterflies.size(); ++b)
    for (const size_t step : schedule.butterflies[b].steps)
      schedule.butterflyOf[step] = b;
  Places(program, schedule).plan();
  return schedule;
}

} // namespace mpf
