// A block of cases that is answered as a whole: one upload, one launch, one download.
#pragma once

#include "runtime/execute/gpu/lanes/lane_launcher.h"
#include "runtime/execute/gpu/lanes/lane_packing.h"
#include "runtime/execute/gpu/lanes/lane_slots.h"

#include <cstdint>
#include <mutex>
#include <vector>

namespace mpf {

/// Launcher and packing must outlive it.
class WholeBlock {
public:
  WholeBlock(LaneLauncher &launcher, const LanePacking &packing);

  /// Does upload, a launch in turn with those of other streams, and fetch. Thread-safe.
  void run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left);

  // The steps, for lists that stay on the device and for measurements; not thread-safe.
  /// Packs the codes and the weights of a block and uploads them for any number of launches. Throws
  /// Error(MemoryBound) if they and the results do not fit.
  void upload(const CaseBlock &block);
  /// Answers the block on the device's stream; does not wait.
  void launch() { launcher_.launchAlone(now_, launcher_.device().stream()); }
  /// Waits and downloads the answers.
  void fetch(CaseAnswers &answers, std::vector<uint32_t> &left);

private:
  void reserve(uint32_t cases);

  LaneLauncher &launcher_;
  const LanePacking &packing_;
  std::mutex mutex_; ///< guards the device's stream and the members below in run()
  DeviceCases cases_;
  LanePointers now_; ///< cases that a launch answers
};

} // namespace mpf
