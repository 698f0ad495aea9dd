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

/// What the driver tells of a GPU; 0: it does not.
struct CardRates {
  std::string arch; ///< "sm_90"
  uint32_t smCount = 0;
  double clockGhz = 0;
  double memoryBytesPerUs = 0; ///< of both edges of the memory's clock, on all its lines
};

struct GpuLaneTimes {
  std::string device;
  CardRates card;
  std::string kernel;           ///< "threads", "teams" or "table-driven"
  std::vector<double> launchUs; ///< of launches over all cases, one after the other, at least 5
  /// Wall-clock time to bring the cases to the device, and their answers to the host.
  double uploadUs = 0, fetchUs = 0;
  std::vector<uint32_t> left;
  CaseAnswers answers;
  double compileSeconds = 0; ///< 0: from the cache

  double bestUs() const { return *std::ranges::min_element(launchUs); }
};

/// Launches, and copies of all cases, are repeated for `seconds` each. `kernel`: as in the times,
/// or "auto": what a run would take. None: linear arithmetic is not possible, or the program is too
/// large for this kind. `teamWarps`: of table-driven teams, 0: as many as a run has. Throws
/// Error(Device) without a GPU.
std::optional<GpuLaneTimes> timeGpuLanes(const LaneProgram &program, const CommonTables &common,
                                         ElementType type, const CaseBlock &block, double seconds,
                                         const std::string &kernel, uint64_t teamWarps);

} // namespace mpf::bench
