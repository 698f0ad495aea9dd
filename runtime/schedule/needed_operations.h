// WHICH OPERATIONS A RUN NEEDS: all in the first one; later those whose operands have changed and
// those whose results were overwritten since.
//
// A result outlasts a run when no other buffer shares its memory: the planner sees to that for
// messages that are worth it (codegen/plan/passes/pass_keep_messages.h). Decided from offsets, so
// that no bundle can make it wrong. An operation is needed if an output or a needed operation reads
// its result and that is not there: overwritten, never computed, or computed from operands that
// have changed. With nothing changed, nothing is needed. Results inside a chain (bundle.h) are
// never taken for there.
#pragma once

#include "runtime/schedule/schedule.h"

#include <span>
#include <vector>

namespace mpf {

/// Keeps track of one executor: which results it still has from earlier runs. Time per run: linear
/// in the operations. Not thread-safe; the bundle must outlive it.
class NeededOperations {
public:
  explicit NeededOperations(const Bundle &bundle);

  /// The entries of an input are others than in the last run.
  void inputChanged(BufferId input);
  /// Nothing that was computed counts any more: a run has failed, or all of it is to be seen.
  void forget();

  /// The steps of `schedule` that the next run needs: its copies, the needed operations, the loops
  /// around them. Valid until the next call.
  std::span<const ScheduleStep> choose(const Schedule &schedule);
  /// Operations among them.
  size_t count() const { return count_; }
  /// They ran.
  void ran();

private:
  void markNeeded();

  const Bundle &bundle_;
  std::vector<uint32_t> writer_; ///< by buffer: the operation that writes it, or kNone
  std::vector<char> outlasts_;   ///< by operation: nothing else lies in the result's memory
  std::vector<char> changed_;    ///< by buffer: inputs since the last run
  std::vector<char> stale_;      ///< by operation: its operands are no longer those it read
  std::vector<char> isRead_;     ///< by operation: an output depends on it
  std::vector<char> needed_;     ///< by operation, in the next run
  std::vector<ScheduleStep> steps_;
  size_t count_ = 0;
};

} // namespace mpf
