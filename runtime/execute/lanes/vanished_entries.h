// Entries of joint posteriors that linear arithmetic takes for 0. Sums lose nothing that counts
// where a product is below all numbers of a type, but an entry of an answer is such a product.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/result/case_answers.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Finds cases whose posterior, which was asked for, may have such an entry. Immutable; the program
/// must outlive it.
class VanishedEntries {
public:
  /// `values`: those of LaneProgram::values.
  VanishedEntries(const LaneProgram &program, std::span<const std::span<const double>> values);

  /// Adds to `left` the cases that a run in `type` must not answer. In these an entry is 0 or no
  /// normal number, the case does not rule it out, and the range of the tables may be the reason.
  /// Tables whose entries all lie within 2^64 of each other are not suspected: their zeros are
  /// zeros.
  void add(const CaseBlock &block, const CaseAnswers &answers, ElementType type,
           std::vector<uint32_t> &left) const;

private:
  bool isRuledOut(const CaseBlock &block, uint32_t i, size_t entry) const;
  bool mayVanish(const CaseBlock &block, uint32_t i, ElementType type) const;

  const LaneProgram &program_;
  bool isAsked_;
  std::vector<int64_t> spreads_; ///< by LaneProgram::values: binary orders between its entries
  std::vector<size_t> columns_; ///< by variable of the output: in schema.observed; kNone: not there
  static constexpr size_t kNone = SIZE_MAX;
};

} // namespace mpf
