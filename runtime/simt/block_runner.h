// Runs the threads of one block as fibres: one thread after another, each up to its next
// synchronisation. A thread that waits for other blocks holds its block up (grid_runner.h).
#pragma once

#include "runtime/simt/block_thread.h"
#include "runtime/simt/memory.h"
#include "runtime/simt/simt_hooks.h"
#include "runtime/simt/warp_log.h"

#include <functional>
#include <vector>

namespace mpf::simt {

class BlockRunner {
public:
  /// Makes a runner. `overlaps`: an earlier launch may still be running when this one starts.
  /// `current` names the running thread of the launch, `steps` the steps that the launch may still
  /// take.
  BlockRunner(const Launch &launch, Memory &memory, Report &report, bool overlaps,
              SimtCurrent &current, SimtSteps &steps);
  /// Starts the threads of a block. `body` is the kernel with its arguments bound.
  void start(uint32_t block, const std::function<void()> &body);
  /// Whether some thread has not ended.
  bool isRunning() const;
  /// Whether some thread is ready, or waits for a counter that has reached its value.
  bool canGoOn() const;
  /// Runs the threads until all have ended or been stopped, or none can go on.
  void goOn();
  /// Reports the threads that wait for other blocks, and lets them go on.
  void endWaits();

  // Called by the running thread.
  /// Reports that the launch does not end, and stops the block's threads. Does not return.
  void stop();
  void *access(uint32_t site, const void *address, uint32_t bytes, int kind);
  void barrier(int line);
  void fence() { memory_.fence(now()); }
  /// Waits until `counter`, which other blocks add to, is at least `count`.
  void await(const unsigned *counter, unsigned count);
  uint64_t collective(int kind, uint32_t mask, uint64_t value, uint32_t source);
  void copyAsync(uint32_t toSite, void *to, uint32_t fromSite, const void *from, uint32_t bytes,
                 bool inside);
  void copyCommit();
  void copyWait(size_t groupsLeft);
  LaunchOverlap &overlap() { return threads_[running_].launch; }
  SharedMemory &shared() { return shared_; }

private:
  void runWarp(uint32_t first, uint32_t last);
  void runLanes(uint32_t first, uint32_t last);
  void spend(uint64_t steps);
  void log(uint32_t site, bool shared, const void *address, uint32_t bytes);
  Moment now() const;
  bool wake();

  const Launch &launch_;
  Memory &memory_;
  SharedMemory shared_;
  Report &report_;
  bool overlaps_;
  WarpLog log_;
  SimtCurrent &current_;
  SimtSteps &steps_;
  std::vector<BlockThread> threads_;
  std::vector<uint32_t> warpEpochs_;
  uint32_t running_ = 0, block_ = 0, epoch_ = 0;
  uint32_t lastSite_ = 0; ///< last site of the running thread
};

} // namespace mpf::simt
