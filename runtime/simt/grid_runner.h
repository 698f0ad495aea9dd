// Runs the blocks of a launch one after another. Blocks of a cooperative launch run in turn, each
// until it waits for another one. The order affects no faults except endless waits: races are found
// by the order of accesses (block_order.h), not by their effect.
#pragma once

#include "runtime/simt/block_runner.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace mpf::simt {

class GridRunner {
public:
  /// Makes a runner with the parameters of BlockRunner.
  GridRunner(const Launch &launch, Memory &memory, Report &report, bool overlaps);
  /// Runs the launch. `body` is the kernel with its arguments bound. Ends after Launch::mostSteps.
  void run(const std::function<void()> &body);

  const SimtCurrent &current() const { return current_; }
  SimtSteps &steps() { return steps_; }
  /// Returns the block whose thread is running.
  BlockRunner &running() { return *blocks_[running_]; }

private:
  uint32_t numberOf(size_t index) const;
  void goOn(size_t index);

  const Launch &launch_;
  const Report &report_;
  SimtCurrent current_{};
  SimtSteps steps_;
  std::vector<std::unique_ptr<BlockRunner>> blocks_; ///< the blocks that run in turn
  size_t running_ = 0;
};

} // namespace mpf::simt
