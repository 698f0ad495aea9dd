// The kernels that answer cases of one lane program on a GPU, with the tables that all cases share.
// One thread answers each case (gpu_lane_kernel.cpp), or the warps of a block answer up to 32
// (gpu_teams.cpp).
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/cuda_stream.h"
#include "runtime/execute/gpu/lanes/gpu_lane_rows.h"
#include "runtime/execute/gpu/lanes/lane_slots.h"
#include "runtime/execute/lanes/lane_launch.h"

#include <memory>
#include <mutex>

namespace mpf {

class LaneLauncher {
public:
  virtual ~LaneLauncher() = default;
  LaneLauncher(const LaneLauncher &) = delete;
  LaneLauncher &operator=(const LaneLauncher &) = delete;

  const CudaDevice &device() const { return device_; }
  const LaneProgram &program() const { return program_; }
  const LinearPlan &plan() const { return plan_; }
  const LaneKernel &kernel() const { return kernel_; }
  ElementType type() const { return type_; }
  const LaneCaseSize &caseSize() const { return caseSize_; }

  /// Launches the kernel that answers `cases` on a stream, without waiting. Launches of several
  /// streams run side by side, unless they share memory. Thread-safe.
  void launch(const LanePointers &cases, CudaStreamHandle stream);
  /// Does the same. Precondition: no other launch is in flight or begins.
  virtual void launchAlone(const LanePointers &cases, CudaStreamHandle stream) = 0;

  /// Whether launchRows takes rows in this form.
  virtual bool readsRows(const GpuPackForm &) const { return false; }
  /// Launches a kernel that reads `rows` in place of the words of `cases`. The first such launch
  /// compiles it. Precondition: readsRows. Thread-safe.
  virtual void launchRows(const GpuLaneRows &rows, const LanePointers &cases,
                          CudaStreamHandle stream);

protected:
  /// Uploads the shared tables in the layout of `kernel`. Device and program must outlive the
  /// launcher.
  LaneLauncher(const CudaDevice &device, const LaneProgram &program, const CommonTables &common,
               const LinearPlan &plan, LaneKernel kernel, ElementType type,
               const KernelStoreOptions &kernels);

  /// Returns the number of blocks, at most `blocks`, whose memory of `blockBytes` each fits the
  /// device after the present `heldBytes` are freed. Throws Error(MemoryBound) if not even one
  /// fits.
  uint64_t fittingBlocks(uint64_t blocks, uint64_t blockBytes, uint64_t blockCases,
                         uint64_t heldBytes) const;
  /// True if launches share device memory other than that of their cases, or the host's records of
  /// it.
  virtual bool sharesMemory() const = 0;

  /// Returns a kernel of the text. The first call compiles the text or loads it from the cache;
  /// each asks the driver. Throws Error(Device) as makeGpuExecutor.
  CudaKernel function(const std::string &name, uint32_t sharedBytes);
  const KernelStoreOptions &kernels() const { return kernels_; }
  CudaDevicePointer image() const { return image_.address(); }

private:
  template <class T> void uploadImage(const CommonTables &common);

  const CudaDevice &device_;
  const LaneProgram &program_;
  const LinearPlan plan_;
  const LaneKernel kernel_;
  const ElementType type_;
  const LaneCaseSize caseSize_;
  const KernelStoreOptions kernels_;
  std::unique_ptr<CudaModule> module_;
  DeviceMemory image_;
  std::mutex launching_;                ///< guards launches that share memory
  std::unique_ptr<StreamMark> sharing_; ///< end of the last of them
};

} // namespace mpf
