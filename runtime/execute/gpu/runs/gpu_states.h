// The states of a program's tables on the GPU, by buffer. Behind them are counters, by operation:
// those of teams, then those of phases (tables/gpu_level_table.h). One copy resets both.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/host_image.h"
#include "runtime/execute/gpu/tables/copy_ranges.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace mpf {

/// Not thread-safe; the device must outlive it. Works on the device's stream. Only the constructor
/// allocates device memory. read() waits for the device; uploads wait only for room in their stage.
class GpuStates {
public:
  /// Allocates zeros.
  GpuStates(const CudaDevice &device, const Bundle &bundle);

  uint64_t sizeBytes() const { return bytes_; } ///< size of the states, without counters
  CudaDevicePointer address() const { return now_.address(); }
  /// Returns the address of the states and counters with which a run begins.
  CudaDevicePointer initialAddress() const { return atBegin_.address(); }
  CudaDevicePointer counters() const { return now_.address() + bytes_; }

  /// Sets the states with which runs begin; those of further buffers are neutral.
  void setInitial(const std::vector<TableState> &states);
  /// Returns these states; empty before setInitial.
  const std::vector<TableState> &initial() const { return initial_; }
  /// Returns a number that changes with initial(). Never 0.
  uint64_t initialNumber() const { return initialNumber_; }

  /// Returns the ranges of the buffers' states. They join to few ranges, because results are
  /// numbered in execution order, behind the inputs.
  static std::vector<CopyRange> rangesOf(std::span<const size_t> buffers);
  /// Returns the ranges that a run resets: the states of these buffers, and all counters.
  std::vector<CopyRange> resetsOf(std::span<const size_t> buffers) const;
  /// Resets ranges to what a run begins with.
  void reset(std::span<const CopyRange> ranges) const;
  void resetTables(std::span<const size_t> buffers) const;
  void resetCounters() const;

  /// Notes the state of a table that another device computed, for the next sendGiven().
  void give(BufferId buffer, const TableState &state) { given_.emplace_back(buffer, state); }
  /// Uploads these states; in one copy if the states between them are known.
  void sendGiven();
  /// Uploads a state, which must stay valid until the device is synchronised.
  void startWrite(BufferId buffer, const TableState &state) const;

  /// Starts to copy the states, of sizeBytes(), to the host.
  void startDownload(void *to) const { now_.download(to, bytes_); }
  /// Starts to copy one of them.
  void startDownload(TableState *to, BufferId buffer) const {
    now_.download(to, sizeof(TableState), buffer.index() * sizeof(TableState));
  }
  /// Notes the states that a run has left, until the next run.
  void note(const std::vector<TableState> &states);
  /// Waits, and returns the states, one per buffer.
  std::vector<TableState> read() const;

  /// Frees the stage of uploads after all have ended.
  void clearStage() { stage_.clear(); }

private:
  const CudaDevice &device_;
  const uint64_t bytes_, counterBytes_;
  const DeviceMemory now_, atBegin_;
  std::vector<TableState> initial_;
  uint64_t initialNumber_ = 1;
  std::vector<TableState> known_; ///< the states in now_, if areKnown_
  bool areKnown_ = true;
  std::vector<std::pair<BufferId, TableState>> given_;
  UploadStage stage_;
};

} // namespace mpf
