// What readers of all formats do with one row of a block.
#pragma once

#include "dsl/formats/cases/columns/case_columns.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"

#include <string>
#include <vector>

namespace mpf {

/// The weights [first, first + extent) of a row.
struct LikelihoodRows {
  std::string name; ///< of the variable
  size_t first = 0;
  uint32_t extent = 0;
};

std::vector<LikelihoodRows> likelihoodRows(const CaseSchema &schema, const Model &model);

enum class WeightFault { None, SomeMissing, AllZero };

/// The weights of a case whose cells were read; those of empty cells are kNoNumber. All of them:
/// there is no likelihood, and the weights become 1.
WeightFault completeWeights(CaseBlock &block, const LikelihoodRows &likelihood, uint32_t row);

/// Makes the case one that sets nothing.
void clearCase(CaseBlock &block, const CaseSchema &schema, uint32_t row);

/// The pitch of a block for `rows` rows, so that its columns do not share places of a CPU's cache.
uint32_t pitchForRows(size_t rows);

/// Gives `block` room for `rows` rows, and none of them yet.
void makeRoomForRows(CaseBlock &block, const CaseSchema &schema, size_t rows);

} // namespace mpf
