// Entries of posteriors that linear arithmetic takes for 0. The table that a posterior is read from
// has all its entries (linear_plan.h). Dividing them by their sum may leave the normal numbers.
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/result/case_answers.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Whether output number `output` is a posterior, and an entry of it other than 0 may be below the
/// normal numbers of `type`. If not, its zeros are zeros in every case that stays.
bool mayVanish(const LaneProgram &program, const LinearPlan &plan, size_t output, ElementType type);

/// Finds the cases of a device in which an entry may have vanished. Devices return posteriors only,
/// so that nothing tells such an entry from a 0. A joint posterior that was asked for keeps all its
/// entries. Of marginals those are found that are no normal number: most zeros of marginals are
/// zeros, and their cases stay on the device. Immutable; the program must outlive it.
class VanishedEntries {
public:
  /// `type`: of the device's answers.
  VanishedEntries(const LaneProgram &program, const LinearPlan &plan, ElementType type);

  /// Adds to `left`, once each and in order, the cases with such an entry, if the plan does not
  /// prove that it is 0. Entries that the findings of a case rule out are 0. `block` has these
  /// findings; null: they were not read.
  void add(const CaseBlock *block, const CaseAnswers &answers, std::vector<uint32_t> &left) const;

private:
  bool isRuledOut(const CaseBlock &block, uint32_t i, size_t entry) const;

  const LaneProgram &program_;
  const bool isAsked_;          ///< the only output is a posterior that was asked for
  std::vector<char> mayVanish_; ///< by output
  const double leastNormal_;
  /// The column in schema.observed of each variable of the asked output; kNone: it has none.
  std::vector<size_t> columns_;
  static constexpr size_t kNone = SIZE_MAX;
};

} // namespace mpf
