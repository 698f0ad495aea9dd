// Takes the result of a run of one case into the answers of a list, which have the full layout.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/result/case_answers.h"
#include "runtime/result/result.h"

#include <cstdint>

namespace mpf {

/// A query of a model, and the columns of its cases. The references must outlive the struct.
struct AskedCase {
  const Model &model;
  const CaseSchema &schema;
  const Query &query;
};

/// Copies `result`, of case i of `block`, to case i of `answers` (fullLayout), which have room. A
/// variable that the case or every case observes has no posterior in the result; its posterior
/// becomes 1 at the observed state.
void takeResult(const AskedCase &asked, const CaseBlock &block, uint32_t i, const Result &result,
                CaseAnswers &answers);

} // namespace mpf
