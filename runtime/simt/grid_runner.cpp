#include "runtime/simt/grid_runner.h"

namespace mpf::simt {

GridRunner::GridRunner(const Launch &launch, Memory &memory, Report &report, bool overlaps)
    : launch_(launch), report_(report), steps_{launch.mostSteps, 0} {
  current_.blockDim = {launch.blockThreads, 1, 1};
  current_.gridDim = {static_cast<unsigned>(launch.gridBlocks), 1, 1};
  const size_t together = !launch.isCooperative       ? 1
                          : launch.onlyBlocks.empty() ? launch.gridBlocks
                                                      : launch.onlyBlocks.size();
  for (size_t i = 0; i < together; ++i)
    blocks_.push_back(
        std::make_unique<BlockRunner>(launch, memory, report, overlaps, current_, steps_));
}

uint32_t GridRunner::numberOf(size_t index) const {
  return launch_.onlyBlocks.empty() ? static_cast<uint32_t>(index) : launch_.onlyBlocks[index];
}

void GridRunner::goOn(size_t index) {
  running_ = index;
  blocks_[index]->goOn();
}

void GridRunner::run(const std::function<void()> &body) {
  const size_t count = launch_.onlyBlocks.empty() ? launch_.gridBlocks : launch_.onlyBlocks.size();
  for (size_t first = 0; first < count; first += blocks_.size()) {
    for (size_t i = 0; i < blocks_.size(); ++i)
      blocks_[i]->start(numberOf(first + i), body);
    for (bool isRunning = true; isRunning;) {
      isRunning = false;
      bool moved = false;
      for (size_t i = 0; i < blocks_.size(); ++i) {
        if (blocks_[i]->canGoOn()) {
          goOn(i);
          moved = true;
        }
        if (report_.has(FaultKind::EndlessLoop))
          return; // no steps are left for other blocks
        isRunning = isRunning || blocks_[i]->isRunning();
      }
      for (size_t i = 0; i < blocks_.size() && isRunning && !moved; ++i)
        blocks_[i]->endWaits();
    }
  }
}

} // namespace mpf::simt
