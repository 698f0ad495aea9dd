// Lanes on a GPU. What both kinds of kernels share: the cases of a block on the device, and their
// answers. One thread answers each case (gpu_lane_kernel.cpp), or the warps of a block up to 32
// (gpu_teams.cpp).
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/gpu_executor.h"
#include "runtime/execute/gpu/lanes/lane_slots.h"
#include "runtime/execute/lanes/lane_executor.h"
#include "runtime/execute/lanes/lane_launch.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mpf {

/// Its parts can be called one by one, for lists that stay on the device and for measurements.
class GpuLanes : public LaneExecutor, private DeviceLanes {
public:
  ~GpuLanes() override = default;

  std::string deviceName() const override;
  uint64_t allocatedBytes() const override;

  /// upload, launch and fetch. A large block goes in parts: while the device answers one, the host
  /// packs the next and reads the answers to the one before, and both copy. An error leaves nothing
  /// on its way. Thread-safe: while one caller waits for the device, others pack and read.
  void run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) override;

  /// The parts of a block of a few, each in a slot of its own. Small blocks too: what is asked of
  /// the driver for a part is half of what it is for a block as a whole.
  std::unique_ptr<SentLanes> send(const CaseBlock &block, const ByteRows *rows,
                                  CaseAnswers &answers) override;

  DeviceLanes *onDevice() override { return this; }

  /// Packs the codes and the weights of a block and brings them to the device, which keeps them for
  /// any number of launches. Error(MemoryBound) when they and the results do not fit.
  void upload(const CaseBlock &block);
  /// Answers the block on the device; does not wait.
  void launch() { launch(now_, device_.stream()); }
  /// Waits, and brings the answers to the host.
  void fetch(CaseAnswers &answers, std::vector<uint32_t> &left);

  const CudaDevice &device() const { return device_; }

protected:
  /// The layout of `kernel`; its text is compiled, or loaded from the cache, and the shared tables
  /// uploaded. `program` must outlive the executor. Throws Error(Device) as makeGpuExecutor.
  GpuLanes(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
           LaneKernel kernel, ElementType type, const GpuOptions &options);

  /// At most `blocks`: those whose own memory, `blockBytes` each, the device has room for when the
  /// `heldBytes` that they have so far are given back. Throws Error(MemoryBound) when not even one.
  uint64_t fittingBlocks(uint64_t blocks, uint64_t blockBytes, uint64_t blockCases,
                         uint64_t heldBytes) const;

  /// Puts the kernel that answers `cases` on `stream`.
  virtual void launch(const LanePointers &cases, CudaStreamHandle stream) = 0;
  /// Launches share memory of the device beside that of their cases, or the host's notes of it.
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

  /// What readResults reads, rows `pitch` apart.
  struct Fetched {
    uint64_t pitch = 0;
    const void *results = nullptr;
    const int32_t *exponents = nullptr;
    const uint32_t *states = nullptr;
  };

  class Sent;

  /// Calls work(range, place of its first case) for ranges that are all of `cases`; side by side
  /// in `pool`, null: here.
  static void forRanges(const CaseRange &cases, ThreadPool *pool,
                        const std::function<void(const CaseRange &, uint64_t place)> &work);
  /// The pool for a caller that waits for its block.
  ThreadPool *poolOfCaller() const;
  /// Codes and weights of `cases`; `weights` may be null where the program has none.
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
  ThreadPool *const pool_;         ///< null: the caller is alone
  const uint32_t partCases_;       ///< of a part of a block that was read; 0: they go as a whole
  LaneSlots parts_;                ///< made for the first block that is sent, or is large
  std::atomic<size_t> callers_{0}; ///< that are in run() now
  std::mutex inWhole_;             ///< guards the device's stream, now_ and whole_ in run()
  DeviceCases whole_;              ///< of upload, launch and fetch
  LanePointers now_;               ///< what launch() answers
  std::mutex launching_;           ///< guards turner_, sharing_, and launches that share memory
  std::shared_ptr<const RowTurner> turner_; ///< of the list whose rows came last; null: none did
  std::unique_ptr<StreamMark> sharing_;     ///< where the last launch that shares memory has ended
};

/// By a kernel of codegen/emit/lanes, made for this program, plan and type.
std::unique_ptr<GpuLanes> makeGpuLaneKernel(const LaneProgram &program, const CommonTables &common,
                                            const LinearPlan &plan, const LaneKernel &kernel,
                                            ElementType type, const GpuOptions &options);

/// By the table-driven kernels, whose text is `source`: any program. `warps` of a team, up to
/// kMostTeamWarps; 0: by the program and the cases. Throws Error(MemoryBound) when the messages of
/// the cases of one team do not fit the device.
std::unique_ptr<GpuLanes> makeGpuTeams(const LaneProgram &program, const CommonTables &common,
                                       const LinearPlan &plan, const std::string &source,
                                       ElementType type, const GpuOptions &options,
                                       uint64_t warps = 0);

} // namespace mpf
