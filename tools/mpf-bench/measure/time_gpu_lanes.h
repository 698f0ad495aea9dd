// Times a kernel of lanes over cases that lie on the device.
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/result/case_answers.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf::bench {

/// Rates of a GPU that its driver reports; 0: not reported.
struct CardRates {
  std::string arch; ///< "sm_90"
  uint32_t smCount = 0;
  double clockGhz = 0;
  double memoryBytesPerUs = 0; ///< both edges of the memory's clock, on all its lines
};

struct GpuLaneTimes {
  std::string device;
  CardRates card;
  std::string kernel;           ///< "threads", "teams" or "table-driven"
  std::vector<double> launchUs; ///< times of at least 5 launches over all cases
  /// Wall-clock times to copy the cases to the device, and their answers to the host.
  double uploadUs = 0, fetchUs = 0;
  std::vector<uint32_t> left;
  CaseAnswers answers;
  double compileSeconds = 0; ///< 0: from the cache

  double bestUs() const { return *std::ranges::min_element(launchUs); }
};

/// Times launches, and copies of all cases, for `seconds` each. `kernel`: GpuLaneTimes::kernel, or
/// "auto" for the kernel of a run. `teamWarps`: warps of a table-driven team; 0: as in a run.
/// Returns none if linear arithmetic is not possible, or the program is too large for this kernel.
/// Throws Error(Device) without a GPU.
std::optional<GpuLaneTimes> timeGpuLanes(const LaneProgram &program, const CommonTables &common,
                                         ElementType type, const CaseBlock &block, double seconds,
                                         const std::string &kernel, uint64_t teamWarps);

} // namespace mpf::bench
