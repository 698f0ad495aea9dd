// Predicted times of a bundle's operations for a placement. An operation shares threads or launches
// with the other operations of its superstep on the same device
// (runtime/schedule/placement/supersteps.h), and its time depends on these.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/machine/machine.h"
#include "runtime/schedule/placement/placement.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mpf {

/// Predicts times for placements of one bundle, which must outlive this object.
class PlacedPredictor {
public:
  /// Predicts for the usable devices of `machine`. Other parameters: see predictCpu and predictGpu.
  PlacedPredictor(const Bundle &bundle, const Machine &machine, size_t threads,
                  double expectedRuns);

  /// Returns times for unplaced operations: on the CPU as if each had all threads, on a GPU as if
  /// all operations ran there.
  OperationTimes alone() const;
  /// Returns times for a placement; those on other devices are 0. `devices`, `supersteps`: one
  /// per operation.
  OperationTimes placed(const std::vector<DeviceId> &devices,
                        const std::vector<uint32_t> &supersteps) const;
  /// Return times of a run on the CPU, or on the first GPU. `runs`: a flag per operation; the time
  /// of those without it is 0; empty: all run.
  std::vector<double> onCpu(const std::vector<char> &runs = {}) const;
  std::vector<double> onGpu(const std::vector<char> &runs = {}) const;

private:
  /// Returns times on the CPU. `groups`: see spreadOverThreads.
  std::vector<double> inGroups(const std::vector<uint32_t> &groups) const;
  std::vector<double> onGpu(const GpuSpeed &gpu, const std::vector<char> &runs) const;
  std::vector<double> timesRuns(std::vector<double> onceUs) const;

  const Bundle &bundle_;
  const CpuSpeed cpu_;
  std::vector<std::pair<DeviceId, GpuSpeed>> gpus_;
  const size_t threads_;
  const std::vector<double> runs_;  ///< number of runs, by loop
  std::vector<double> oneThreadUs_; ///< time in one slice, by operation
};

} // namespace mpf
