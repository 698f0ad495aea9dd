// Inputs and results in a host program's device memory. Kernels bind the inputs before the launches
// of a run, and others write the results behind them, in the order of the program's stream.
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/cuda_stream.h"
#include "runtime/execute/gpu/runs/gpu_program.h"
#include "runtime/execute/gpu/tables/device_run_table.h"
#include "runtime/execute/host/executor.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// Returns the text of these kernels, for f32 or f64.
std::string deviceRunSource(ElementType type);
std::string deviceRunName(ElementType type);

/// Not thread-safe; device and bundle must outlive it. The constructor and prepare allocate device
/// memory; runs allocate none.
class GpuDeviceRuns {
public:
  /// Compiles the kernels and the program's guard, or loads them from the cache. Throws
  /// Error(Device) if that fails.
  GpuDeviceRuns(const CudaDevice &device, const Bundle &bundle, KernelStore &store,
                GpuProgram &program);

  /// Does the work of DeviceRuns::prepare.
  void prepare(std::span<const uint32_t> inputs);
  const std::vector<uint32_t> &inputs() const { return inputs_; }

  // A run calls these three in order, with the program's launches before end(). The host never
  // waits.
  /// Makes the run wait for the present work of the host program's stream.
  void begin(const DeviceRuns::Request &request) const;
  /// Writes the prepared inputs and their states.
  void bind(const DeviceRuns::Request &request) const;
  /// Writes the results, and makes the host program's stream wait for them.
  void end(const DeviceRuns::Request &request) const;

private:
  /// A GpuMapTable on the device.
  struct Map {
    template <class Task> Map(const CudaDevice &device, const GpuMapTable<Task> &table);
    Map() = default;
    DeviceMemory memory;
    CudaDevicePointer chunks = 0, digits = 0, tasks = 0;
    uint64_t chunkCount = 0;
  };
  /// The tasks of one bind launch, at most kMaxBindSources, with their chunks.
  struct Part {
    uint32_t firstTask = 0, endTask = 0;
    uint64_t firstChunk = 0, endChunk = 0;
  };

  void launch(const CudaKernel &kernel, const char *name, uint64_t blocks, void *argument) const;

  const CudaDevice &device_;
  const Bundle &bundle_;
  const GpuArenas &arenas_;
  const GpuStates &states_;
  const StreamOrder order_;
  std::vector<CudaModule> module_; ///< one
  CudaKernel bindRange_, bindEntries_, readSums_, readEntries_;
  std::vector<uint32_t> inputs_;
  Map bindMap_, readMap_;
  std::vector<Part> parts_;
  DeviceMemory sums_; ///< sums of chunks, then of tables
  /// Two flags, ranges by input, finished chunks by table; all are zero when a run begins.
  DeviceMemory counters_;
};

} // namespace mpf
