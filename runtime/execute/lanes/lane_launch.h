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

/// Some cases of a block on their way to a kernel or back. Different ranges can be worked on at the
/// same time.
struct CaseRange {
  uint32_t first = 0; ///< of the block
  uint32_t count = 0;
  /// Places for them, at least `count`. What is behind the cases observes nothing and weighs 1.
  uint64_t room = 0;
};

/// Writes the words of the codes of a range; `words`: of its first case, rows `pitch` apart.
void packLaneCodes(const LaneKernel &kernel, const CaseBlock &block, const CaseRange &range,
                   uint64_t pitch, uint32_t *words);

/// Writes the weights of a range as packLaneCodes the codes. T: float or double.
template <class T>
void packLaneWeights(const CaseSchema &schema, const CaseBlock &block, const CaseRange &range,
                     uint64_t pitch, T *weights);

/// The shared tables as the kernel reads them.
template <class T>
std::vector<T> laneImage(const LaneKernel &kernel, const LinearPlan &plan,
                         const CommonTables &common);

/// What a kernel wrote, from the first case of a range on; rows are `pitch` apart.
template <class T> struct LaneResults {
  uint64_t pitch = 0;
  const T *results = nullptr;
  const int32_t *exponents = nullptr;
  const uint32_t *states = nullptr;
};

/// Fills the range of `answers`, which was shaped for the block (shapeAnswers). Appends to `left`
/// the cases of the block, ascending, whose answers are not valid.
template <class T>
void readLaneResults(const LaneProgram &program, const LinearPlan &plan, const LaneKernel &kernel,
                     const LaneResults<T> &from, const CaseRange &range, CaseAnswers &answers,
                     std::vector<uint32_t> &left);

} // namespace mpf
