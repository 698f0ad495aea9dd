// Lanes on a GPU: the cases of a block on the device, and their answers, with the kernels of
// lane_launcher.h.
#pragma once

#include "runtime/execute/gpu/lanes/gpu_lane_arrays.h"
#include "runtime/execute/gpu/lanes/lane_launcher.h"
#include "runtime/execute/gpu/lanes/lane_packing.h"
#include "runtime/execute/gpu/lanes/lane_parts.h"
#include "runtime/execute/gpu/lanes/whole_block.h"
#include "runtime/execute/gpu/runs/gpu_executor.h"
#include "runtime/execute/lanes/lane_executor.h"

#include <memory>
#include <string>
#include <vector>

namespace mpf {

class GpuLanes final : public LaneExecutor {
public:
  /// `launcher` launches on `device`.
  GpuLanes(std::unique_ptr<const CudaDevice> device, std::unique_ptr<LaneLauncher> launcher,
           const GpuOptions &options);

  std::string deviceName() const override;

  /// A large block is answered in parts: while the device answers one, the host packs the next and
  /// reads the answers to the one before, and copies run too. After an error nothing is in flight.
  /// Thread-safe: while one caller waits for the device, others pack and read.
  void run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) override;
  std::unique_ptr<SentLanes> send(const CaseBlock &block, const ByteRows *rows,
                                  CaseAnswers &answers) override {
    return parts_.send(block, rows, answers);
  }
  DeviceLanes *onDevice() override { return &arrays_; }

  /// Returns the block of separate uploads, launches and downloads.
  WholeBlock &whole() { return whole_; }
  const CudaDevice &device() const { return *device_; }

private:
  const std::unique_ptr<const CudaDevice> device_;
  const std::unique_ptr<LaneLauncher> launcher_;
  LanePacking packing_;
  WholeBlock whole_;
  LaneParts parts_;
  GpuLaneArrays arrays_;
};

/// Makes lanes with a kernel of codegen/emit/lanes, made for this program, plan and type.
std::unique_ptr<GpuLanes> makeGpuLaneKernel(const LaneProgram &program, const CommonTables &common,
                                            const LinearPlan &plan, const LaneKernel &kernel,
                                            ElementType type, const GpuOptions &options);

/// Makes lanes with the table-driven kernels, whose text is `source`, for any program. `warps`:
/// warps of a team, up to kMostTeamWarps; 0: chosen by the program and the cases. Throws
/// Error(MemoryBound) if the messages of the cases of one team do not fit the device.
std::unique_ptr<GpuLanes> makeGpuTeams(const LaneProgram &program, const CommonTables &common,
                                       const LinearPlan &plan, const std::string &source,
                                       ElementType type, const GpuOptions &options,
                                       uint64_t warps = 0);

} // namespace mpf
