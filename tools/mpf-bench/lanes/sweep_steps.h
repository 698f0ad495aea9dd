// The work and the measured time of each step of a lane program.
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

/// Work and time of a step of a lane program on the CPU, with v cases at a time.
struct SweepStep {
  std::string name;          ///< name of its result
  std::string operands;      ///< names of its operands
  uint64_t resultElems = 0;  ///< entries that it writes for a case
  uint64_t terms = 1;        ///< terms of each entry
  uint64_t messageElems = 0; ///< entries of its operands for a case
  uint64_t sharedElems = 0;  ///< entries of operands that all cases share
  bool isRescaled = false;   ///< whether its entries are read twice and written once more
  double threadUs = 0;       ///< time of one thread for a case

  double multiplyAdds() const {
    return static_cast<double>(resultElems) * static_cast<double>(terms);
  }
};

/// Returns the work and time of each step. `seconds`: time of each step for one case. If no case
/// was answered in linear arithmetic, it is empty, and so is the result.
std::vector<SweepStep> sweepSteps(const LaneProgram &program, const LinearPlan &plan,
                                  const std::vector<double> &seconds);

} // namespace mpf::bench
