// Entries of joint posteriors that linear arithmetic takes for 0. The table that a posterior is
// read from has all its entries (linear_plan.h). Dividing them by their sum may leave the normal
// numbers.
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/result/case_answers.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Whether the first output is a posterior that was asked for, and an entry of it other than 0 may
/// be below the normal numbers of `type`. If not, its zeros are zeros in every case that stays.
bool mayVanish(const LaneProgram &program, const LinearPlan &plan, ElementType type);

/// Finds the cases of a device in which an entry may have vanished. Devices return posteriors only,
/// so that nothing tells such an entry from a 0. Immutable; the program must outlive it.
class VanishedEntries {
public:
  /// `type`: of the device's answers.
  VanishedEntries(const LaneProgram &program, const LinearPlan &plan, ElementType type);

  /// Adds to `left`, once each and in order, the cases with an entry that is 0 or no normal number,
  /// if the plan does not prove that it is 0. Entries that the findings of a case rule out are 0.
  /// `block` has these findings; null: they were not read.
  void add(const CaseBlock *block, const CaseAnswers &answers, std::vector<uint32_t> &left) const;

private:
  bool isRuledOut(const CaseBlock &block, uint32_t i, size_t entry) const;

  const LaneProgram &program_;
  const bool mayVanish_;
  const double leastNormal_;
  std::vector<size_t> columns_; ///< by variable of the output: in schema.observed; kNone: not there
  static constexpr size_t kNone = SIZE_MAX;
};

} // namespace mpf
