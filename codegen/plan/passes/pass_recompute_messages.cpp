#include "codegen/plan/passes/pass_recompute_messages.h"

#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/remat/rematerialize.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace mpf {

namespace {

/// Number of tries with less and less room: the holes between tables are known only for a finished
/// program.
constexpr int kMostTries = 6;

uint64_t entryBytesOf(const RecomputeBound &bound) {
  return elementBytes(bound.type) + (bound.signedValues ? 1 : 0);
}

/// Rewrites the program with less and less room until its peak is within the bound.
class Rooms {
public:
  Rooms(const MessageUses &uses, const RecomputeBound &bound, const MemoryPlan &before)
      : uses_(uses), bound_(bound), entryBytes_(entryBytesOf(bound)),
        mostBytes_(bound.bytes - std::min(bound.bytes, before.inputArenaBytes)),
        wholeBytes_(before.workArenaBytes) {}

  /// A program within the bound. If there is none and orLeast is set, the smallest program found.
  /// That search does not depend on the bound: a user who then sets the bound to its peak gets a
  /// plan. Nothing when either takes too much work.
  std::optional<TableProgram> run() {
    const uint64_t least = leastRoom(uses_, entryBytes_);
    uint64_t room = mostBytes_;
    for (int i = 0; i < kMostTries && room > least; ++i) {
      std::optional<TableProgram> found = within(room, mostBytes_);
      if (!found)
        break;
      const uint64_t peak = planMemory(*found, bound_.type, bound_.signedValues).peakBytes;
      if (peak <= bound_.bytes)
        return found;
      room -= std::min(room, std::max(peak - bound_.bytes, room / 64));
    }
    return bound_.orLeast ? withinLeast(least) : std::nullopt;
  }

private:
  /// Finds the program for the smallest of an ascending list of rooms that does not take too much
  /// work. It bisects: more room almost always takes less work, and one try with a large program
  /// takes a second.
  std::optional<TableProgram> withinLeast(uint64_t leastRoomBytes) {
    std::vector<uint64_t> ladder;
    for (uint64_t room = leastRoomBytes; room < wholeBytes_; room += room / 4 + 1)
      ladder.push_back(room);
    std::optional<TableProgram> best;
    for (size_t begin = 0, end = ladder.size(); begin < end;) {
      const size_t middle = begin + (end - begin) / 2;
      std::optional<TableProgram> found = within(ladder[middle], UINT64_MAX);
      (found ? end : begin) = found ? middle : middle + 1;
      if (found)
        best = std::move(found);
    }
    return best;
  }

  std::optional<TableProgram> within(uint64_t roomBytes, uint64_t mostBytes) {
    return recomputeWithin(uses_, {entryBytes_, roomBytes, mostBytes});
  }

  const MessageUses &uses_;
  const RecomputeBound bound_;
  const uint64_t entryBytes_, mostBytes_, wholeBytes_;
};

} // namespace

void passRecomputeMessages(TableProgram &program, const RecomputeBound &bound) {
  if (!traitsOf(program.kind).goesDownward)
    return;
  const MemoryPlan before = planMemory(program, bound.type, bound.signedValues);
  if (before.peakBytes <= bound.bytes || before.peakBytes == UINT64_MAX)
    return;
  const MessageUses uses(program);
  std::optional<TableProgram> found = Rooms(uses, bound, before).run();
  if (!found)
    return;
  const uint64_t peak = planMemory(*found, bound.type, bound.signedValues).peakBytes;
  MPF_CHECK(bound.orLeast || peak <= bound.bytes, "a peak of {} bytes, the bound is {}", peak,
            bound.bytes);
  if (peak < before.peakBytes)
    program = std::move(*found);
}

uint64_t leastPeakBytes(const TableProgram &program, const RecomputeBound &bound) {
  const MemoryPlan plan = planMemory(program, bound.type, bound.signedValues);
  if (plan.peakBytes == UINT64_MAX)
    return UINT64_MAX;
  return plan.inputArenaBytes + leastRoom(MessageUses(program), entryBytesOf(bound));
}

} // namespace mpf
