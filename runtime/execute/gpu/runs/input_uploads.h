// The inputs of a program on one GPU: which have changed, and their uploads before a run or beside
// its launches (runtime/schedule/transfers/transfer_plan.h).
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/execute/gpu/cuda_stream.h"
#include "runtime/execute/gpu/host_image.h"
#include "runtime/execute/gpu/runs/beside_stream.h"
#include "runtime/execute/gpu/runs/gpu_arenas.h"
#include "runtime/schedule/transfers/hide_copies.h"
#include "runtime/schedule/transfers/transfer_plan.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace mpf {

/// Not thread-safe; what the constructor takes must outlive it. Its functions do not wait for the
/// device.
class InputUploads {
public:
  InputUploads(const CudaDevice &device, const Bundle &bundle, const GpuArenas &arenas,
               BesideStream &beside, const CopySpeed &copies);

  /// Takes the input arena in the bundle's layout, and the states of its buffers. `changed`: one
  /// flag for each buffer, set for inputs that differ from last time. Only these are uploaded. The
  /// arena must not change until their uploads have ended.
  void set(HostImage &arena, const std::vector<TableState> &states,
           const std::vector<char> &changed);

  /// Makes what uploads beside launches need. Call it before a plan is recorded.
  void reserve(const TransferPlan &transfers);
  /// Begins a run: uploads the changed inputs. With `mayWait`, those of the plan's groups come
  /// later, if that pays, and launches wait for them: waits().
  void begin(const TransferPlan &transfers, bool mayWait);
  bool waits() const { return waits_; }
  /// Uploads all changed inputs before the next launch.
  void sendAll();
  /// Uploads the inputs of all groups of the plan, whose recorded launches wait for them.
  void sendGroups(const TransferPlan &transfers);
  /// Makes a launch wait for the inputs of its groups; uploads them, unless the launch is recorded.
  /// Returns true if there are any.
  bool await(const TransferPlan &transfers, size_t launch, bool isRecorded);
  /// Makes later runs upload all inputs before their first launch: the driver has refused to record
  /// launches that wait.
  void refuseWaits() { areWaitsRefused_ = true; }

private:
  static constexpr uint32_t kNoGroup = UINT32_MAX;

  bool chooseGroups(const TransferPlan &transfers);
  std::vector<CopyRange> unsentRanges(uint32_t group) const;
  void send(uint32_t group);

  const CudaDevice &device_;
  const Bundle &bundle_;
  const GpuArenas &arenas_;
  BesideStream &beside_;
  const CopySpeed copies_;
  const std::vector<uint32_t> byPlace_; ///< buffers of inputs, in the order of their arena
  HostImage packed_;                    ///< the input arena of the device, if inputs are packed
  HostImage *arena_ = nullptr;          ///< inputs in the device's layout; null before set()
  std::vector<char> unsent_;            ///< by buffer: inputs to be uploaded
  bool hasUnsent_ = false;
  std::vector<uint32_t> groupOf_; ///< by buffer: group in this run's uploads, or kNoGroup
  std::vector<std::unique_ptr<StreamMark>> sent_; ///< by group: the end of its upload
  bool waits_ = false; ///< launches of the last begun run wait for inputs
  bool areWaitsRefused_ = false;
};

} // namespace mpf
