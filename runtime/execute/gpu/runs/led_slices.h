// A run through slices that the host leads, in the order of a schedule. The host adds the slices
// up, because results are small.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/execute/gpu/runs/gpu_program.h"
#include "runtime/execute/gpu/runs/operation_checks.h"
#include "runtime/execute/host/best_slice.h"
#include "runtime/execute/host/executor.h"
#include "runtime/schedule/walk_steps.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace mpf {

/// Not thread-safe; what the constructor takes must outlive it.
class LedSlices {
public:
  /// `best`: takes the best slices.
  LedSlices(const Bundle &bundle, GpuProgram &program, const OperationChecks &checks,
            BestSlice &best);

  /// Runs the steps and waits. Returns the device time of each operation in microseconds, of all
  /// slices; zeros without RunRequest::profile. Throws for a count that does not fit.
  std::vector<double> run(std::span<const ScheduleStep> steps, const RunRequest &request);

private:
  /// The sum of the slices so far.
  struct Sum {
    std::vector<std::byte> bytes;
    TableState state;
  };
  bool joinsWaiting(const BundleOperation &operation) const;
  void finishSums();
  void accumulate(const BundleOperation &operation, const std::vector<std::byte> &slice,
                  const TableState &read);

  const Bundle &bundle_;
  GpuProgram &program_;
  const OperationChecks &checks_;
  BestSlice &best_;
  SliceStates slice_;                            ///< the slice that is being computed
  std::vector<const BundleOperation *> waiting_; ///< unread sums of this slice, all of one loop
  std::map<uint32_t, Sum> sums_;                 ///< by buffer
};

} // namespace mpf
