// Judges the assignments that a kernel of lanes chose, with exact numbers.
#pragma once

#include "codegen/bundle/lanes/common_tables.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/execute/lanes/wide_lanes.h"

#include <cstdint>
#include <vector>

namespace mpf::simt {

/// The loss of an assignment against the best one of its case.
struct AssignmentLoss {
  double ln = 0; ///< logarithm of best value / value; 0: it is one of the best
  // The choice that loses most; unset if nothing is lost.
  VarId variable;
  uint32_t better = 0; ///< the best state of `variable`
};

/// Judges the assignments of one program, which decodes assignments. Not thread-safe.
class AssignmentJudge {
public:
  /// Prepares a program. `common` holds its tables and must outlive the object.
  AssignmentJudge(const LaneProgram &program, const CommonTables &common);

  /// Returns the loss of `states` in case `i` of the block. `states` has one state for each
  /// variable of the model, and the case's best value is not 0. The loss is infinite if a state
  /// does not exist or the assignment's value is 0.
  AssignmentLoss lossOf(const CaseBlock &block, uint32_t i, const uint32_t *states);

private:
  double lnOf(const LaneTraceback &step, const std::vector<uint32_t> &states) const;
  ScaledNumber entryOf(uint32_t number, uint64_t address) const;

  /// The program, with the messages that decoding reads as outputs.
  const LaneProgram program_;
  const CommonTables &common_;
  WideLanes wide_;
  std::vector<size_t> outputOf_; ///< by table
  CaseBlock case_;               ///< the case that is judged, as a block of one
  CaseAnswers messages_;         ///< the messages of `case_`
};

} // namespace mpf::simt
