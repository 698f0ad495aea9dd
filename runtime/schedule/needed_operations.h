// NEEDED OPERATIONS: which operations a run of a session must compute. The first run computes all;
// later runs compute those whose operands have changed and those whose results were overwritten.
//
// A result survives a run when no other buffer shares its memory. The planner arranges this for
// messages that are worth it (codegen/plan/passes/pass_keep_messages.h). This class decides it from
// the offsets of buffers alone, so no bundle can mislead it.
//
// An operation is needed if its result is not valid, and an output or a needed operation reads it.
// A result is not valid if it was overwritten, never computed, or computed from operands that have
// changed. If nothing has changed, nothing is needed. Results inside a chain (bundle.h) never count
// as valid.
#pragma once

#include "runtime/schedule/schedule.h"

#include <span>
#include <vector>

namespace mpf {

/// Belongs to one executor. Takes time linear in the operations per run. Not thread-safe; the
/// bundle must outlive it.
class NeededOperations {
public:
  explicit NeededOperations(const Bundle &bundle);

  /// Notes that the entries of an input have changed since the last run.
  void inputChanged(BufferId input);
  /// Invalidates all results: after a failed run, or when the next run must compute everything.
  void forget();

  /// Returns the steps of `schedule` that the next run needs: its copies, the needed operations,
  /// and the loops around them. The span is valid until the next call.
  std::span<const ScheduleStep> choose(const Schedule &schedule);
  /// The number of operations among these steps.
  size_t count() const { return count_; }
  /// Notes that these steps ran.
  void ran();

private:
  void markNeeded();

  const Bundle &bundle_;
  std::vector<uint32_t> writer_; ///< by buffer: the operation that writes it, or kNone
  std::vector<char> outlasts_;   ///< by operation: whether its result survives a run
  std::vector<char> changed_;    ///< by buffer: whether it is an input that changed
  std::vector<char> stale_;      ///< by operation: whether its operands have changed since it ran
  std::vector<char> isRead_;     ///< by operation: whether an output depends on it
  std::vector<char> needed_;     ///< by operation: whether the next run computes it
  std::vector<ScheduleStep> steps_;
  size_t count_ = 0;
};

} // namespace mpf
