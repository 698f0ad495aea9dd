// Functions for one row of a block that readers of all formats share.
#pragma once

#include "dsl/formats/cases/columns/case_columns.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"

#include <string>
#include <vector>

namespace mpf {

/// A likelihood: the weights [first, first + extent) of a row.
struct LikelihoodRows {
  std::string name; ///< name of the variable
  size_t first = 0;
  uint32_t extent = 0;
};

std::vector<LikelihoodRows> likelihoodRows(const CaseSchema &schema, const Model &model);

enum class WeightFault { None, SomeMissing, AllZero };

/// Checks the weights of a case whose cells were read; empty cells gave kNoNumber. If all cells
/// were empty, the case has no likelihood and its weights become 1.
WeightFault completeWeights(CaseBlock &block, const LikelihoodRows &likelihood, uint32_t row);

/// Replaces the case by one that sets nothing.
void clearCase(CaseBlock &block, const CaseSchema &schema, uint32_t row);

/// Returns a pitch for `rows` rows with which columns do not collide in the cache of a CPU.
uint32_t pitchForRows(size_t rows);

/// Empties `block` and makes room for `rows` rows.
void makeRoomForRows(CaseBlock &block, const CaseSchema &schema, size_t rows);

} // namespace mpf
