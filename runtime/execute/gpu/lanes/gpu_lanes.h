// Lanes on a GPU. This class does the work of both kinds of kernels: the cases of a block on the
// device, and their answers. One thread answers each case (gpu_lane_kernel.cpp), or the warps of a
// block answer up to 32 (gpu_teams.cpp).
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/lanes/gpu_case_arrays.h"
#include "runtime/execute/gpu/lanes/lane_slots.h"
#include "runtime/execute/gpu/runs/gpu_executor.h"
#include "runtime/execute/lanes/lane_executor.h"
#include "runtime/execute/lanes/lane_launch.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mpf {

/// upload, launch and fetch can be called one by one, for lists that stay on the device and for
/// measurements.
class GpuLanes : public LaneExecutor, private DeviceLanes {
public:
  ~GpuLanes() override = default;

  std::string deviceName() const override;
  uint64_t allocatedBytes() const override;

  /// Does upload, launch and fetch. A large block is answered in parts: while the device answers
  /// one, the host packs the next and reads the answers to the one before, and copies run too.
  /// After an error nothing is in flight. Thread-safe: while one caller waits for the device,
  /// others pack and read.
  void run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) override;

  /// Sends a block of few parts, each in a separate slot. Small blocks are sent too: a slot is as
  /// large as its part, copies use locked memory, and nothing waits.
  std::unique_ptr<SentLanes> send(const CaseBlock &block, const ByteRows *rows,
                                  CaseAnswers &answers) override;

  DeviceLanes *onDevice() override { return this; }

  /// Packs the codes and the weights of a block and uploads them for any number of launches. Throws
  /// Error(MemoryBound) if they and the results do not fit.
  void upload(const CaseBlock &block);
  /// Answers the block on the device; does not wait.
  void launch() { launch(now_, device_.stream()); }
  /// Waits and downloads the answers.
  void fetch(CaseAnswers &answers, std::vector<uint32_t> &left);

  const CudaDevice &device() const { return device_; }

protected:
  /// Compiles the text of `kernel`, or loads it from the cache, and uploads the shared tables in
  /// its layout. `program` must outlive the executor. Throws Error(Device) as makeGpuExecutor.
  GpuLanes(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
           LaneKernel kernel, ElementType type, const GpuOptions &options);

  /// Returns the number of blocks, at most `blocks`, whose memory of `blockBytes` each fits the
  /// device after the present `heldBytes` are freed. Throws Error(MemoryBound) if not even one
  /// fits.
  uint64_t fittingBlocks(uint64_t blocks, uint64_t blockBytes, uint64_t blockCases,
                         uint64_t heldBytes) const;

  /// Launches the kernel that answers `cases` on `stream`.
  virtual void launch(const LanePointers &cases, CudaStreamHandle stream) = 0;
  /// True if launches share device memory other than that of their cases, or the host's records of
  /// it.
  virtual bool sharesMemory() const = 0;

  const LaneProgram &program_;
  const LinearPlan plan_;
  const LaneKernel kernel_;
  const ElementType type_;
  CudaDevice device_;
  std::unique_ptr<CudaModule> module_;
  DeviceMemory image_;

private:
  DeviceCaseLayout layout() const override;
  void run(const DeviceCaseBlock &block, void *stream) override;
  void run(const DeviceCaseArrays &arrays, void *stream) override;
  DeviceCaseCounts counts() override;

  /// The input of readResults, with rows `pitch` apart.
  struct Fetched {
    uint64_t pitch = 0;
    const void *results = nullptr;
    const int32_t *exponents = nullptr;
    const uint32_t *states = nullptr;
  };

  class Sent;

  /// Calls work(range, place of its first case) for ranges that together are `cases`: in the
  /// threads of `pool`, or in this thread if it is null.
  static void forRanges(const CaseRange &cases, ThreadPool *pool,
                        const std::function<void(const CaseRange &, uint64_t place)> &work);
  /// Returns the pool for a caller that waits for its block.
  ThreadPool *poolOfCaller() const;
  /// Packs the codes and weights of `cases`; `weights` may be null if the program has none.
  void pack(const CaseBlock &block, const CaseRange &cases, uint64_t pitch, uint32_t *words,
            void *weights, ThreadPool *pool) const;
  void readResults(const Fetched &from, const CaseRange &cases, CaseAnswers &answers,
                   std::vector<uint32_t> &left, ThreadPool *pool) const;
  void reserve(uint32_t cases);
  template <class T> void uploadImage(const CommonTables &common);
  void launchInTurn(const LanePointers &cases, CudaStreamHandle stream);
  bool takesParts(const CaseBlock &block) const;
  uint32_t partCasesOf(const ByteRows &rows) const;
  std::shared_ptr<const RowTurner> turnerFor(const ByteRows &rows);
  void runWhole(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left);
  bool runParts(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left);
  void start(LaneSlot &slot, const CaseBlock &block, const CaseRange &part, ThreadPool *pool);
  bool startRows(LaneSlot &slot, const ByteRows &rows,
                 const std::shared_ptr<const RowTurner> &turner, const CaseBlock &block,
                 const CaseRange &part);
  void answer(LaneSlot &slot);
  bool collect(LaneSlot &slot, CaseAnswers &answers, std::vector<uint32_t> &left, ThreadPool *pool);
  void drain(const std::vector<LaneSlot *> &slots) noexcept;

  const LaneCaseSize caseSize_;
  const KernelStoreOptions kernelOptions_;
  ThreadPool *const pool_;         ///< null: the caller works alone
  const uint32_t partCases_;       ///< cases of a part of a read block; 0: blocks are not divided
  LaneSlots parts_;                ///< slots; made for the first block that is sent or large
  std::atomic<size_t> callers_{0}; ///< callers in run() now
  std::mutex inWhole_;             ///< guards the device's stream, now_ and whole_ in run()
  DeviceCases whole_;              ///< cases of upload, launch and fetch
  LanePointers now_;               ///< cases that launch() answers
  std::mutex launching_;           ///< guards turner_, sharing_, and launches that share memory
  std::shared_ptr<const RowTurner> turner_; ///< converter of the last sent list of rows; or null
  std::unique_ptr<StreamMark> sharing_;     ///< end of the last launch that shares memory
  std::mutex makingArrays_;                 ///< guards arrays_
  std::unique_ptr<GpuCaseArrays> arrays_;   ///< made for the first arrays of a host program
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
