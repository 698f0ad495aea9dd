// What the host prepares for a kernel of lanes, and what it makes of its results: the memory that
// codegen/bundle/lanes/lane_kernel.h describes. No device is needed.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/result/case_answers.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The words of a block's codes; `pitch` >= block.count. `words` keeps its memory.
void packLaneCodes(const LaneKernel &kernel, const CaseBlock &block, uint64_t pitch,
                   std::vector<uint32_t> &words);

/// The weights of a block, 1 behind its cases. T: float or double.
template <class T>
std::vector<T> laneWeights(const CaseSchema &schema, const CaseBlock &block, uint64_t pitch);

/// The shared tables as the kernel reads them.
template <class T>
std::vector<T> laneImage(const LaneKernel &kernel, const LinearPlan &plan,
                         const CommonTables &common);

/// What a kernel wrote for the first `answers.count` cases.
template <class T> struct LaneResults {
  uint64_t pitch = 0;
  const T *results = nullptr;
  const int32_t *exponents = nullptr;
  const uint32_t *states = nullptr;
};

/// Fills `answers`, which was shaped for the block (shapeAnswers). `left` gets the cases,
/// ascending, whose answers are not valid.
template <class T>
void readLaneResults(const LaneProgram &program, const LinearPlan &plan, const LaneKernel &kernel,
                     const LaneResults<T> &from, CaseAnswers &answers, std::vector<uint32_t> &left);

} // namespace mpf
