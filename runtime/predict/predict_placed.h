// Predicted times of a bundle's operations by where they are placed: on one device an operation
// takes what it takes beside the others of its superstep (schedule/placement/supersteps.h), with
// which it shares threads or launches.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/machine/machine_speed.h"
#include "runtime/schedule/placement/placement.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

/// The bundle must outlive it.
class PlacedPredictor {
public:
  /// As predictCpu, predictGpu.
  PlacedPredictor(const Bundle &bundle, const MachineSpeed &speed, size_t threads,
                  double expectedRuns);

  /// Before operations are placed: on the CPU as if each had all threads for itself, on the GPU as
  /// if all ran there.
  OperationTimes alone() const;
  /// `devices`, `supersteps`: by operation. Times on the other device are 0.
  OperationTimes placed(const std::vector<StepDevice> &devices,
                        const std::vector<uint32_t> &supersteps) const;
  /// All on one device. `runs`, by operation, not empty: the others do not run, and take 0.
  std::vector<double> onCpu(const std::vector<char> &runs = {}) const;
  std::vector<double> onGpu(const std::vector<char> &runs = {}) const;

private:
  /// On the CPU, as spreadOverThreads has groups.
  std::vector<double> inGroups(const std::vector<uint32_t> &groups) const;
  std::vector<double> timesRuns(std::vector<double> onceUs) const;

  const Bundle &bundle_;
  const MachineSpeed speed_;
  const size_t threads_;
  const std::vector<double> runs_;  ///< by loop
  std::vector<double> oneThreadUs_; ///< by operation, once
};

} // namespace mpf
