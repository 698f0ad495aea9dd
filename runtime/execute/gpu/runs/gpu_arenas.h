// The memory of a program on the GPU: the arenas of its tables, the operation tables with their
// addresses, and the partial sums of the level kernel.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/tables/device_buffers.h"
#include "runtime/execute/gpu/tables/gpu_level_table.h"
#include "runtime/execute/gpu/tables/gpu_operation_table.h"
#include "runtime/schedule/walk_steps.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Not thread-safe; device and bundle must outlive it. Its functions work on the device's stream
/// and do not wait.
class GpuArenas {
public:
  /// Throws Error(MemoryBound) if the tables do not fit.
  GpuArenas(const CudaDevice &device, const Bundle &bundle);

  const DeviceBuffers &buffers() const { return buffers_; }
  const DeviceMemory &inputs() const { return inputs_; }
  const DeviceMemory &work() const { return work_; }
  CudaDevicePointer operations() const { return operations_.address(); }
  CudaDevicePointer records() const { return records_.address(); }
  /// Return copies of what operations() and records() hold.
  const GpuOperationTable &operationTable() const { return table_; }
  const GpuRecords &recordTable() const { return recordTable_; }

  /// Returns the address of an access in the slice `states`.
  CudaDevicePointer addressOf(const BundleAccess &access, const SliceStates &states) const;
  /// Moves the operands of these operations, which ascend, to the slice `states`. Uploads read the
  /// copies above: the device must be synchronised before the next call.
  void moveTo(std::span<const uint32_t> operations, const SliceStates &states);

  /// Starts to read a buffer, which must not be a packed input. The bytes have the bundle's layout:
  /// entries, then room for signs if tables are signed. They are valid after a synchronisation.
  /// Signs are copied only for log form, because kernels write none in linear form.
  std::vector<std::byte> startRead(BufferId buffer, const TableState &state) const;
  /// Starts to write a result; `bytes` must stay valid until the device is synchronised.
  void startWrite(BufferId buffer, std::span<const std::byte> bytes) const;

  /// Makes room for partial sums at another address.
  void reservePartials(uint64_t bytes);
  uint64_t partialsBytes() const { return partials_.sizeBytes(); }
  CudaDevicePointer partials() const { return partials_.address(); }

private:
  const CudaDevice &device_;
  const Bundle &bundle_;
  const DeviceBuffers buffers_;
  const DeviceMemory inputs_, work_;
  GpuOperationTable table_;
  GpuRecords recordTable_;
  const DeviceMemory operations_, records_;
  DeviceMemory partials_;
};

} // namespace mpf
