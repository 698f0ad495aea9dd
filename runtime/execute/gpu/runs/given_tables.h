// Uploads results of a program that another device computed. Small tables are gathered in locked
// memory (ICPP'10, section 4.4.2), and adjacent ones in the work arena are uploaded in one copy,
// because each copy costs some microseconds.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/gpu/host_image.h"
#include "runtime/execute/gpu/runs/beside_stream.h"
#include "runtime/execute/gpu/runs/gpu_states.h"
#include "runtime/execute/host/executor.h"

#include <cstdint>
#include <span>

namespace mpf {

/// Not thread-safe; what the constructor takes must outlive it.
class GivenTables {
public:
  /// `work`: the arena of results.
  GivenTables(const CudaDevice &device, const Bundle &bundle, const DeviceMemory &work,
              GpuStates &states, BesideStream &beside);

  /// Does the work of Executor::setTables, beside the launches if a run `isRunning`. The states
  /// follow with the next run (GpuStates::give).
  void write(std::span<const GivenTable> tables, bool isRunning);
  /// Frees the stage after all uploads have ended.
  void clearStage() { stage_.clear(); }

private:
  /// A piece of a table that is uploaded: its entries, or their signs.
  struct Piece {
    uint64_t offsetBytes = 0, sizeBytes = 0;
    const void *from = nullptr;
  };
  void upload(std::span<const Piece> pieces, const CudaStream *beside);

  const CudaDevice &device_;
  const Bundle &bundle_;
  const DeviceMemory &work_;
  GpuStates &states_;
  BesideStream &beside_;
  UploadStage stage_;
};

} // namespace mpf
