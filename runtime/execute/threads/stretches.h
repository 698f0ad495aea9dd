// STRETCHES: the operations of a run between repeats and sums over slices, and how threads share
// them. They are kept between runs, because the next run or slice mostly has equal operations.
#pragma once

#include "runtime/execute/threads/spread_plan.h"
#include "runtime/schedule/schedule.h"

#include <span>
#include <vector>

namespace mpf {

struct TaskStretch {
  std::vector<uint32_t> operations;
  TaskGraph tasks;       ///< empty: operations run one after the other
  size_t threads = 1;    ///< number of threads that run the tasks
  double timeNs = 0;     ///< predicted time of one run by one thread
  double spentNs = 0;    ///< predicted time of all runs so far
  bool isSpread = false; ///< tasks and threads are known
};

/// Keeps the stretches that ran last. Not thread-safe.
class Stretches {
public:
  /// `operationNs` returns the time of an operation with one thread. `bundle` and `spread` must
  /// outlive the object.
  Stretches(const Bundle &bundle, const SpreadOptions &spread, size_t threads,
            OperationNs operationNs)
      : bundle_(bundle), spread_(spread), threads_(threads), operationNs_(std::move(operationNs)) {}

  /// Returns the stretch of these steps for its next run. The reference is valid until the next
  /// call.
  const TaskStretch &next(std::span<const ScheduleStep> steps);

private:
  TaskStretch &find(std::span<const ScheduleStep> steps);
  void spread(TaskStretch &stretch) const;

  const Bundle &bundle_;
  const SpreadOptions &spread_;
  size_t threads_;
  OperationNs operationNs_;
  std::vector<TaskStretch> stretches_;
};

} // namespace mpf
