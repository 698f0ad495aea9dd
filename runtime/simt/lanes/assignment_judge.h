// How good the assignments are that a kernel of lanes chose, in exact numbers.
#pragma once

#include "codegen/bundle/lanes/common_tables.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/execute/lanes/wide_lanes.h"

#include <cstdint>
#include <vector>

namespace mpf::simt {

/// What an assignment loses against the best one of its case.
struct AssignmentLoss {
  double ln = 0; ///< logarithm of the quotient of their values: 0 where it is one of the best
  // Of the choice that loses most; none where nothing is lost.
  VarId variable;
  uint32_t better = 0; ///< its state
};

/// Of a program that decodes assignments. Not thread-safe.
class AssignmentJudge {
public:
  /// `common`, of the program, outlives the object.
  AssignmentJudge(const LaneProgram &program, const CommonTables &common);

  /// Of `states`, one for each variable of the model, in case `i` of the block, whose best value is
  /// not 0. An infinite loss where a state is none, or the assignment's value is 0.
  AssignmentLoss lossOf(const CaseBlock &block, uint32_t i, const uint32_t *states);

private:
  double lnOf(const LaneTraceback &step, const std::vector<uint32_t> &states) const;
  ScaledNumber entryOf(uint32_t number, uint64_t address) const;

  /// Its outputs are the messages that decoding reads.
  const LaneProgram program_;
  const CommonTables &common_;
  WideLanes wide_;
  std::vector<size_t> outputOf_; ///< by table
  CaseBlock case_;               ///< the one at hand, alone
  CaseAnswers messages_;         ///< of it
};

} // namespace mpf::simt
