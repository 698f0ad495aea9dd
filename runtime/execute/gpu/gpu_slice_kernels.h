// The kernels that lead a run through its slices on the device, and what they keep there: the
// states of loops, what went wrong, and which slices are the best.
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

/// The text of these kernels, and a name for it.
std::string sliceKernelSource(ElementType type);
std::string sliceKernelName(ElementType type);

/// SliceTables on the device. Made with a wait; not copied.
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

/// Not thread-safe; device and program must outlive it. What it starts is ordered on the device's
/// stream, and nothing of it waits.
class SliceKernels {
public:
  /// Device addresses: states of tables, those that a run begins with, finished blocks of teams by
  /// operation, and of phases behind them (tables/gpu_level_table.h).
  struct Places {
    CudaDevicePointer states = 0, initialStates = 0, finishedBlocks = 0;
  };
  /// `kernels`: of sliceKernelSource, or what a user put in its place, which may not wait by
  /// itself.
  SliceKernels(const CudaDevice &device, const ReplicatedBundle &program,
               const CompiledKernel &kernels, const Places &places);

  /// A run begins: loops stand before their first slices, nothing has gone wrong.
  void begin() const;
  /// Enters the slices of the loop's next pass (counted from 1), behind the last one the first.
  /// `overlaps`: the kernel may start while those before it still run; it waits for them itself.
  void enter(const DeviceSliceTables &tables, uint32_t loop, bool overlaps) const;
  /// Adds the slices of a pass up: the group of SliceSteps::sums.
  void add(const DeviceSliceTables &tables, const SliceSumGroup &group, uint32_t index) const;
  /// Both at once: adds the slices of a pass up, then enters those of the next one of the group's
  /// loop. Not where a block of adding threads would take long to enter them (`mayStep`).
  void step(const DeviceSliceTables &tables, const SliceSumGroup &group, uint32_t index) const;
  static bool mayStep(const DeviceSliceTables &tables, uint32_t loop) {
    return enterThreads(tables.host().loops[loop - 1]) == kSliceThreads;
  }

  /// What a run leaves for the host: starts to copy outcomeBytes.
  uint64_t outcomeBytes() const;
  void downloadOutcome(void *to) const;
  struct Outcome {
    GpuSliceFaults faults;      ///< operations as they stand in the bundle without replicas
    std::vector<uint32_t> best; ///< BestSlice::noted
  };
  Outcome outcomeOf(const void *downloaded) const;
  /// Device address of GpuSliceFaults::broken.
  CudaDevicePointer broken() const { return at(faultsAt_ + offsetof(GpuSliceFaults, broken)); }
  /// What the host has found out itself. Memory stays until the stream is waited for.
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
  /// Ranges of sums, states of loops, blocks that have arrived in a step, faults: these begin each
  /// run as in `initial_`. Then the best slices, which stay.
  const uint64_t loopsAt_, arrivedAt_, faultsAt_, bestAt_, bytes_;
  DeviceMemory memory_, initial_;
};

} // namespace mpf
