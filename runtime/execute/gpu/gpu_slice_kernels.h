// The kernels that lead a run through its slices on the device, and their memory there: the states
// of loops, the faults, and the best slices.
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/slices/slice_tables.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// Return the text of these kernels and its name.
std::string sliceKernelSource(ElementType type);
std::string sliceKernelName(ElementType type);

/// SliceTables on the device. The constructor waits for the device.
class DeviceSliceTables {
public:
  DeviceSliceTables(const CudaDevice &device, SliceTables tables);

  const SliceTables &host() const { return tables_; }
  CudaDevicePointer moves = 0, strides = 0, resets = 0, products = 0, operands = 0, sums = 0,
                    slices = 0, chunks = 0, sources = 0;

private:
  SliceTables tables_;
  DeviceMemory memory_;
};

/// Not thread-safe; device and program must outlive it. Its functions use the device's stream and
/// do not wait.
class SliceKernels {
public:
  /// Device addresses: the states of tables, the states with which a run begins, and counters of
  /// finished blocks. The counters are those of teams by operation, then those of phases
  /// (tables/gpu_level_table.h).
  struct Places {
    CudaDevicePointer states = 0, initialStates = 0, finishedBlocks = 0;
  };
  /// Loads the kernels, which were compiled from sliceKernelSource or from a user's replacement. A
  /// replacement may not wait for earlier launches.
  SliceKernels(const CudaDevice &device, const ReplicatedBundle &program,
               const CompiledKernel &kernels, const Places &places);

  /// Begins a run: loops are before their first slices, and there are no faults.
  void begin() const;
  /// Enters the slices of the next pass of `loop` (counted from 1); after the last pass comes the
  /// first. `overlaps`: the kernel may start while earlier launches still run, and itself waits for
  /// them.
  void enter(const DeviceSliceTables &tables, uint32_t loop, bool overlaps) const;
  /// Adds up the slices of a pass: the group of SliceSteps::sums.
  void add(const DeviceSliceTables &tables, const SliceSumGroup &group, uint32_t index) const;
  /// Adds up the slices of a pass and enters those of the next pass of the group's loop, in one
  /// launch. Requires mayStep: otherwise a block of adding threads would take long to enter them.
  void step(const DeviceSliceTables &tables, const SliceSumGroup &group, uint32_t index) const;
  static bool mayStep(const DeviceSliceTables &tables, uint32_t loop) {
    return enterThreads(tables.host().loops[loop - 1]) == kSliceThreads;
  }

  /// Returns the size of a run's outcome for the host; downloadOutcome starts to copy it.
  uint64_t outcomeBytes() const;
  void downloadOutcome(void *to) const;
  struct Outcome {
    GpuSliceFaults faults;      ///< operations as numbered in the bundle without replicas
    std::vector<uint32_t> best; ///< BestSlice::noted
  };
  Outcome outcomeOf(const void *downloaded) const;
  /// Returns the device address of GpuSliceFaults::broken.
  CudaDevicePointer broken() const { return at(faultsAt_ + offsetof(GpuSliceFaults, broken)); }
  /// Uploads best slices that the host has found. Their memory must stay valid until a wait for the
  /// stream.
  void uploadBest(std::span<const uint32_t> noted) const;

private:
  CudaDevicePointer at(uint64_t offsetBytes) const { return memory_.address() + offsetBytes; }
  GpuEnterLaunch enterLaunch(const DeviceSliceTables &tables, uint32_t loop) const;
  GpuSumLaunch sumLaunch(const DeviceSliceTables &tables, const SliceSumGroup &group,
                         uint32_t index) const;

  const CudaDevice &device_;
  const ReplicatedBundle &program_;
  const Bundle &bundle_;
  const SliceRows rows_;
  const Places places_;
  const CudaModule module_;
  const CudaKernel enter_, add_, step_;
  /// Offsets in memory_: ranges of sums, states of loops, blocks that have arrived in a step,
  /// faults. A run begins with these as in `initial_`. The best slices follow, and stay between
  /// runs.
  const uint64_t loopsAt_, arrivedAt_, faultsAt_, bestAt_, bytes_;
  DeviceMemory memory_, initial_;
};

} // namespace mpf
