#include "codegen/emit/lanes/teams/team_schedule.h"

#include "dsl/support/memory/arena.h"

#include <algorithm>

namespace mpf {

namespace {

uint64_t stretchesOf(uint64_t elems) { return (elems + kTeamStretch - 1) / kTeamStretch; }

class TaskList {
public:
  TaskList(const LaneProgram &program, const LinearPlan &plan,
           const std::vector<FusedOperation> &operations)
      : program_(program), plan_(plan), operations_(operations),
        producers_(program.tables.size(), kNobody) {}

  std::vector<TeamTask> build() {
    for (uint32_t t = 0; t < program_.tables.size(); ++t)
      if (program_.tables[t].kind == LaneTableKind::Weights)
        addWriter({TeamTaskKind::Weights, t, t, 0, stretchesOf(program_.tables[t].sizeElems)}, {});
    auto next = operations_.begin();
    for (uint32_t s = 0; s < program_.steps.size(); ++s)
      if (const auto *gather = std::get_if<LaneGather>(&program_.steps[s]))
        addGather(s, *gather);
      else if (next != operations_.end() && next->step == s)
        addOperation(*next++);
    for (uint32_t o = 0; o < program_.outputs.size(); ++o)
      add({TeamTaskKind::Output, o}, {program_.outputs[o].access.table});
    if (traitsOf(program_.kind).decoding)
      addDecoding();
    setStages();
    return std::move(tasks_);
  }

private:
  static constexpr size_t kNobody = SIZE_MAX;

  void addGather(uint32_t s, const LaneGather &gather) {
    addWriter({TeamTaskKind::Gather, s, gather.message, 0,
               stretchesOf(program_.tables[gather.message].sizeElems), 4 * kTeamStretch},
              {});
  }

  void addOperation(const FusedOperation &operation) {
    TeamTask task{TeamTaskKind::Operation, operation.step, operation.tile.operation.resultTable()};
    task.tile = operation.tile;
    task.tiles = task.tile.tiles();
    task.cycles = task.tile.cycles / static_cast<double>(task.tiles);
    addWriter(std::move(task), operation.tile.operation.operandTables());
  }

  /// Adds a task that writes a message. If several warps write it, a Rescale task follows, when all
  /// warps have found their greatest entries.
  void addWriter(TeamTask task, const std::vector<uint32_t> &reads) {
    const uint32_t message = task.message;
    const bool isWhole = task.tiles == 1;
    producers_[message] = add(std::move(task), reads);
    if (plan_.rescaled[message] == 0 || isWhole)
      return;
    TeamTask rescale{TeamTaskKind::Rescale, message, message};
    rescale.tiles = stretchesOf(program_.tables[message].sizeElems);
    producers_[message] = add(std::move(rescale), {message});
  }

  void addDecoding() {
    std::vector<uint32_t> reads;
    for (const LaneTraceback &step : program_.traceback)
      for (const LaneTraceback::Table &table : step.tables)
        reads.push_back(table.access.table);
    add({TeamTaskKind::Decode}, reads);
  }

  size_t add(TeamTask task, const std::vector<uint32_t> &reads) {
    needs_.emplace_back();
    for (const uint32_t table : reads)
      if (producers_[table] != kNobody)
        needs_.back().push_back(producers_[table]);
    tasks_.push_back(std::move(task));
    return tasks_.size() - 1;
  }

  void setStages() {
    std::vector<uint32_t> below(tasks_.size(), 0); // number of stages that must follow a task
    uint32_t most = 0;
    for (size_t t = tasks_.size(); t-- > 0;)
      for (const size_t needed : needs_[t])
        most = std::max(most, below[needed] = std::max(below[needed], below[t] + 1));
    for (size_t t = 0; t < tasks_.size(); ++t) {
      tasks_[t].stage = most - below[t];
      if (tasks_[t].kind == TeamTaskKind::Output) // as early as possible, to free its message
        tasks_[t].stage = tasks_[needs_[t].front()].stage + 1;
    }
  }

  const LaneProgram &program_;
  const LinearPlan &plan_;
  const std::vector<FusedOperation> &operations_;
  std::vector<TeamTask> tasks_;
  std::vector<std::vector<size_t>> needs_; ///< by task: those that come before
  std::vector<size_t> producers_;          ///< by table: the last task that writes it
};

/// Stages in which a stretch of memory is needed.
struct Lifetime {
  uint32_t first = UINT32_MAX, last = 0;
  void add(uint32_t stage) {
    first = std::min(first, stage);
    last = std::max(last, stage);
  }
};

class TeamMemory {
public:
  TeamMemory(const LaneProgram &program, const LinearPlan &plan, TeamSchedule &schedule,
             uint64_t warps)
      : program_(program), plan_(plan), schedule_(schedule), warps_(warps),
        lives_(program.tables.size()) {
    for (const TeamTask &task : schedule.tasks)
      addUses(task);
  }

  /// Places the largest messages far, as few as possible. Returns false if not even the data that
  /// must be near fits.
  bool placeWithin(const NearLimits &limits) {
    isFar_.assign(program_.tables.size(), 0);
    std::vector<uint32_t> bySize; // messages, the smallest first
    for (const TeamTask &task : schedule_.tasks)
      if (writes(task) && task.kind != TeamTaskKind::Rescale) {
        bySize.push_back(task.message);
        isFar_[task.message] = elemsOf(task.message) > limits.messageElems ? 1 : 0;
      }
    std::stable_sort(bySize.begin(), bySize.end(),
                     [this](uint32_t a, uint32_t b) { return elemsOf(a) < elemsOf(b); });
    const auto fits = [&] {
      place();
      return schedule_.nearElems <= limits.elems;
    };
    size_t near = bySize.size(); // the number of smallest messages that are near
    for (; !fits(); near -= (near + kSteps - 1) / kSteps) {
      if (near == 0)
        return false;
      for (size_t i = near - (near + kSteps - 1) / kSteps; i < near; ++i)
        isFar_[bySize[i]] = 1;
    }
    // Some of the larger messages may still fit beside the near ones.
    for (size_t i = near; i < std::min(bySize.size(), near + kMostTrials); ++i) {
      if (elemsOf(bySize[i]) > limits.messageElems)
        continue;
      isFar_[bySize[i]] = 0;
      if (!fits())
        isFar_[bySize[i]] = 1;
    }
    place();
    return true;
  }

private:
  static constexpr size_t kSteps = 16, kMostTrials = 64;

  uint64_t elemsOf(uint32_t message) const { return program_.tables[message].sizeElems; }

  void place() {
    const size_t tables = program_.tables.size();
    schedule_.messages.assign(tables, {});
    schedule_.exponents.assign(tables, {});
    schedule_.maxima.assign(tables, {});
    near_ = far_ = Arena();
    schedule_.left.offsetElems = near_.allocate(warps_);
    for (uint32_t stage = 0; stage < schedule_.stages; ++stage) {
      placeWrittenIn(stage);
      release(stage);
    }
    schedule_.nearElems = near_.highWaterBytes();
    schedule_.farElems = far_.highWaterBytes();
  }

  struct Held {
    TeamPlace place;
    uint64_t elems = 0;
    uint32_t last = 0;
  };

  static bool writes(const TeamTask &task) {
    return task.kind != TeamTaskKind::Output && task.kind != TeamTaskKind::Decode;
  }

  void addUses(const TeamTask &task) {
    if (writes(task))
      lives_[task.message].add(task.stage);
    if (task.kind == TeamTaskKind::Output)
      lives_[program_.outputs[task.index].access.table].add(task.stage);
    if (task.kind == TeamTaskKind::Operation)
      for (const uint32_t table : task.tile.operation.operandTables())
        lives_[table].add(task.stage);
    if (task.kind == TeamTaskKind::Decode)
      for (const LaneTraceback &step : program_.traceback)
        for (const LaneTraceback::Table &table : step.tables)
          lives_[table.access.table].add(task.stage);
  }

  /// Places the messages that tasks of a stage write. Large messages come first, while there are
  /// large holes.
  void placeWrittenIn(uint32_t stage) {
    std::vector<const TeamTask *> writing;
    for (const TeamTask &task : schedule_.tasks)
      if (task.stage == stage && writes(task) && task.kind != TeamTaskKind::Rescale)
        writing.push_back(&task);
    std::stable_sort(writing.begin(), writing.end(), [this](const TeamTask *a, const TeamTask *b) {
      return elemsOf(a->message) > elemsOf(b->message);
    });
    for (const TeamTask *const one : writing) {
      const TeamTask &task = *one;
      const uint32_t message = task.message, last = lives_[message].last;
      const uint64_t elems = program_.tables[message].sizeElems;
      schedule_.messages[message] = hold(elems, isFar_[message] != 0, last);
      if (plan_.hasExponent[message] != 0)
        schedule_.exponents[message] = hold(1, false, last);
      if (plan_.rescaled[message] != 0 && task.tiles > 1)
        schedule_.maxima[message] = hold(warps_, false, last);
    }
  }

  TeamPlace hold(uint64_t elems, bool far, uint32_t last) {
    const TeamPlace place{(far ? far_ : near_).allocate(elems), far};
    held_.push_back({place, elems, last});
    return place;
  }

  void release(uint32_t stage) {
    std::erase_if(held_, [this, stage](const Held &held) {
      if (held.last > stage)
        return false;
      (held.place.far ? far_ : near_).release(held.place.offsetElems, held.elems);
      return true;
    });
  }

  const LaneProgram &program_;
  const LinearPlan &plan_;
  TeamSchedule &schedule_;
  const uint64_t warps_;
  std::vector<Lifetime> lives_; ///< by table
  std::vector<char> isFar_;     ///< by table
  Arena near_, far_;
  std::vector<Held> held_;
};

} // namespace

std::optional<TeamSchedule> scheduleTeam(const LaneProgram &program, const LinearPlan &plan,
                                         const std::vector<FusedOperation> &operations,
                                         uint64_t warps, const NearLimits &limits) {
  TeamSchedule schedule;
  schedule.tasks = TaskList(program, plan, operations).build();
  for (const TeamTask &task : schedule.tasks)
    schedule.stages = std::max(schedule.stages, task.stage + 1);
  std::stable_sort(schedule.tasks.begin(), schedule.tasks.end(),
                   [](const TeamTask &a, const TeamTask &b) {
                     return a.stage != b.stage ? a.stage < b.stage : a.cycles > b.cycles;
                   });
  TeamMemory memory(program, plan, schedule, warps);
  if (!memory.placeWithin(limits))
    return std::nullopt;
  return schedule;
}

} // namespace mpf
