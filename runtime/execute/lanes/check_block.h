// Checks that lanes may read a block that a host program has filled: they pick rows by its codes
// and check none of them.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/support/cases/case_block.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// Throws Error(Usage) for a block of another schema, with other numbers of columns, weights or
/// params, or with more cases than its room.
void checkShape(const CaseSchema &schema, const std::string &query, const CaseBlock &block);

/// The rule for the weights of a likelihood, or the entries of a table, in each case.
struct WeightRule {
  std::string name;       ///< for people: "likelihood of variable wet", "factor h"
  uint64_t sizeElems = 0; ///< weights or entries of one case
  bool isLikelihood = false, nonNegative = false;
  int32_t wholeBits = 0; ///< VaryingTable::wholeBits
};

/// Returns the rules of CaseSchema::likelihoods and tables, in their order. A program does not know
/// the tables' names, so they are numbered.
std::vector<WeightRule> weightRulesOf(const ProgramHead &program);

/// Throws Error(Usage) for a block of another schema than the program's, or with more cases than
/// its room. Throws it for codes above "not observed", weights that break their rule, and a
/// likelihood whose weights are all zero. The message names the column and the case of the number.
void checkBlock(const ProgramHead &program, std::span<const WeightRule> rules,
                const CaseBlock &block);

} // namespace mpf
