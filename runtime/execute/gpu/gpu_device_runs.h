// Inputs and results in a host program's device memory: the kernels that bind the ones before the
// launches of a run, and write the others behind them, in the order of the program's own stream.
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/cuda_stream.h"
#include "runtime/execute/gpu/gpu_program.h"
#include "runtime/execute/gpu/tables/device_run_table.h"
#include "runtime/execute/host/executor.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// The text of these kernels, for f32 or f64.
std::string deviceRunSource(ElementType type);
std::string deviceRunName(ElementType type);

/// Not thread-safe; device and bundle must outlive it. Device memory is taken when it is made and
/// by prepare; runs take none.
class GpuDeviceRuns {
public:
  /// Compiles the kernels, or loads them from the cache, and the program's guard with them.
  /// Error(Device) where that fails.
  GpuDeviceRuns(const CudaDevice &device, const Bundle &bundle, KernelStore &store,
                GpuProgram &program);

  /// DeviceRuns::prepare.
  void prepare(std::span<const uint32_t> inputs);
  const std::vector<uint32_t> &inputs() const { return inputs_; }

  // A run, in this order; the launches of the program stand before `write`. Nothing waits.
  /// What comes begins when what is on the program's stream now is done.
  void begin(const DeviceRuns::Request &request) const;
  /// Writes the prepared inputs and their states.
  void bind(const DeviceRuns::Request &request) const;
  /// Writes the results, and lets the program's stream go on behind them.
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
  /// Bind launches: as many tasks as one has sources for, with their chunks.
  struct Part {
    uint32_t firstTask = 0, endTask = 0;
    uint64_t firstChunk = 0, endChunk = 0;
  };

  void launch(const CudaKernel &kernel, const char *name, uint64_t blocks, void *argument) const;

  const CudaDevice &device_;
  const Bundle &bundle_;
  const GpuProgram::Places places_;
  const StreamOrder order_;
  std::vector<CudaModule> module_; ///< one
  CudaKernel bindRange_, bindEntries_, readSums_, readEntries_;
  std::vector<uint32_t> inputs_;
  Map bindMap_, readMap_;
  std::vector<Part> parts_;
  DeviceMemory sums_; ///< of chunks, then of tables
  /// Zeros when a run begins: two flags, ranges by input, finished chunks by table.
  DeviceMemory counters_;
};

} // namespace mpf
