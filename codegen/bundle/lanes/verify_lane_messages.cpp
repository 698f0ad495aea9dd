#include "codegen/bundle/lanes/verify_lane_messages.h"

#include "codegen/bundle/lanes/message_places.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

namespace mpf {

namespace {

constexpr size_t kNeverWritten = SIZE_MAX;

std::span<const LaneAccess> operandsOf(const LaneStep &step) {
  const auto *operation = std::get_if<LaneOperation>(&step);
  return operation == nullptr ? std::span<const LaneAccess>{} : operation->operands;
}

/// The steps that write tables, and the last steps that read them. Tables that exist before the
/// first step count as written at 0.
class Uses {
public:
  explicit Uses(const LaneProgram &program)
      : program_(program), written_(program.tables.size(), kNeverWritten),
        last_(program.tables.size(), 0) {
    for (size_t i = 0; i < program.tables.size(); ++i) {
      const LaneTableKind kind = program.tables[i].kind;
      if (kind != LaneTableKind::Common && kind != LaneTableKind::Message)
        written_[i] = 0;
    }
    walk();
  }

  size_t lastOf(uint32_t table) const { return last_[table]; }

private:
  void walk() {
    for (const LaneOperation &operation : program_.commonOperations) {
      for (const LaneAccess &operand : operation.operands)
        read(operand.table, 0, "a common operation");
      write(operation.result.table, 0);
    }
    const size_t end = program_.steps.size();
    for (size_t i = 0; i < end; ++i) {
      if (const auto *gather = std::get_if<LaneGather>(&program_.steps[i]))
        read(gather->table, i, "a step");
      for (const LaneAccess &operand : operandsOf(program_.steps[i]))
        read(operand.table, i, "a step");
      write(messageOf(program_.steps[i]), i);
    }
    for (const LaneOutput &output : program_.outputs)
      read(output.access.table, end, "an output");
    for (const LaneTraceback &step : program_.traceback)
      for (const LaneTraceback::Table &table : step.tables)
        read(table.access.table, end, "the traceback");
    for (size_t i = 0; i < written_.size(); ++i)
      if (written_[i] == kNeverWritten)
        fail(ErrorKind::BadInput, "lane program: nothing writes {}", program_.tables[i].name);
  }

  void read(uint32_t table, size_t when, const char *reader) {
    if (written_[table] == kNeverWritten)
      fail(ErrorKind::BadInput, "lane program: {} reads {} before anything wrote it", reader,
           program_.tables[table].name);
    last_[table] = std::max(last_[table], when);
  }

  void write(uint32_t table, size_t when) {
    if (written_[table] != kNeverWritten)
      fail(ErrorKind::BadInput, "lane program: {} is written twice", program_.tables[table].name);
    written_[table] = when;
    last_[table] = when;
  }

  const LaneProgram &program_;
  std::vector<size_t> written_, last_; ///< by table
};

/// The messages in use by their places in the arena; they never overlap.
class Occupied {
public:
  explicit Occupied(const LaneProgram &program) : program_(program) {}

  void take(uint32_t message) {
    const LaneTable &table = program_.tables[message];
    const auto next = byPlace_.lower_bound(table.offsetElems);
    if (next != byPlace_.end() && next->first - table.offsetElems < table.sizeElems)
      refuse(message, next->second);
    if (next != byPlace_.begin()) {
      const auto &[place, other] = *std::prev(next);
      if (table.offsetElems - place < program_.tables[other].sizeElems)
        refuse(message, other);
    }
    byPlace_.emplace(table.offsetElems, message);
  }
  void release(uint32_t message) { byPlace_.erase(program_.tables[message].offsetElems); }

private:
  [[noreturn]] void refuse(uint32_t message, uint32_t other) const {
    fail(ErrorKind::BadInput, "lane program: messages {} and {} share memory while both are needed",
         program_.tables[other].name, program_.tables[message].name);
  }

  const LaneProgram &program_;
  std::map<uint64_t, uint32_t> byPlace_;
};

} // namespace

void verifyLaneMessages(const LaneProgram &program) {
  const Uses uses(program);
  // The messages that are needed last, by step.
  std::vector<std::vector<uint32_t>> ends(program.steps.size() + 1);
  for (const LaneStep &step : program.steps)
    ends[uses.lastOf(messageOf(step))].push_back(messageOf(step));
  Occupied occupied(program);
  for (size_t i = 0; i < program.steps.size(); ++i) {
    occupied.take(messageOf(program.steps[i]));
    for (const uint32_t message : ends[i])
      occupied.release(message);
  }
}

} // namespace mpf
