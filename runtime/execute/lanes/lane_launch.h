// The host's side of a kernel of lanes: it fills the kernel's memory and reads its results
// (codegen/bundle/lanes/lane_kernel.h). No device is needed.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/result/case_answers.h"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace mpf {

/// The type of entries that are T: float or double.
template <class T>
inline constexpr ElementType kEntryType =
    std::is_same_v<T, float> ? ElementType::F32 : ElementType::F64;

/// A range of cases of a block that is sent to a kernel or back. Several ranges may be in work at
/// one time.
struct CaseRange {
  uint32_t first = 0; ///< first case, in the block
  uint32_t count = 0;
  /// Places for the cases, at least `count`. Places behind the cases observe nothing and have
  /// weights 1.
  uint64_t room = 0;
};

/// Writes the codes of a range to `words`, the word of its first case; rows are `pitch` apart.
void packLaneCodes(const LaneKernel &kernel, const CaseBlock &block, const CaseRange &range,
                   uint64_t pitch, uint32_t *words);

/// Writes the weights of a range, with the layout of packLaneCodes. T: float or double.
template <class T>
void packLaneWeights(const CaseSchema &schema, const CaseBlock &block, const CaseRange &range,
                     uint64_t pitch, T *weights);

/// Returns the shared tables in the kernel's layout.
template <class T>
std::vector<T> laneImage(const LaneKernel &kernel, const LinearPlan &plan,
                         const CommonTables &common);

/// The results of a kernel, from the first case of a range on; rows are `pitch` apart.
template <class T> struct LaneResults {
  uint64_t pitch = 0;
  const T *results = nullptr;
  const int32_t *exponents = nullptr;
  const uint32_t *states = nullptr;
};

/// Fills the range of `answers`, which was shaped for the block (shapeAnswers). Appends the block's
/// cases without valid answers to `left`, ascending.
template <class T>
void readLaneResults(const LaneProgram &program, const LinearPlan &plan, const LaneKernel &kernel,
                     const LaneResults<T> &from, const CaseRange &range, CaseAnswers &answers,
                     std::vector<uint32_t> &left);

} // namespace mpf
