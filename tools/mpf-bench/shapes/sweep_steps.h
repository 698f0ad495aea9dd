// What the steps of a lane program read, write and compute, beside what they took.
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

/// What a step of a lane program took on the CPU, for v cases at a time.
struct SweepStep {
  std::string name;          ///< of its result
  std::string operands;      ///< their names
  uint64_t resultElems = 0;  ///< entries that it writes, of a case
  uint64_t terms = 1;        ///< of each entry
  uint64_t messageElems = 0; ///< entries of its operands, of a case
  uint64_t sharedElems = 0;  ///< entries of operands that all cases share
  bool isRescaled = false;   ///< its entries are read twice more and written once more
  double threadUs = 0;       ///< of one thread, a case

  double multiplyAdds() const {
    return static_cast<double>(resultElems) * static_cast<double>(terms);
  }
};

/// `seconds`: by step, of one case; empty where no case was answered in linear arithmetic, and so
/// is the result.
std::vector<SweepStep> sweepSteps(const LaneProgram &program, const LinearPlan &plan,
                                  const std::vector<double> &seconds);

} // namespace mpf::bench
