// Whether a block that a host program has filled is one that lanes may read: they pick rows by its
// codes and check none of them.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/support/cases/case_block.h"

namespace mpf {

/// Throws Error(Usage) for a block of another schema, with columns, weights or params of another
/// number, and for more cases than it has room for.
void checkShape(const CaseSchema &schema, const std::string &query, const CaseBlock &block);

/// Throws Error(Usage) for a block of another schema than the program's, for more cases than it has
/// room for, for codes above "not observed", and for weights that are negative or no finite
/// numbers; it names the column, the case and both numbers.
void checkBlock(const LaneProgram &program, const CaseBlock &block);

} // namespace mpf
