// Whether a block that a host program has filled is one that lanes may read: they pick rows by its
// codes and check none of them.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/support/cases/case_block.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// Throws Error(Usage) for a block of another schema, with columns, weights or params of another
/// number, and for more cases than it has room for.
void checkShape(const CaseSchema &schema, const std::string &query, const CaseBlock &block);

/// What the weights of a likelihood, or the entries of a table, must be in each case.
struct WeightRule {
  std::string name;       ///< for people: "likelihood of variable wet", "factor h"
  uint64_t sizeElems = 0; ///< of one case
  bool isLikelihood = false, nonNegative = false;
  int32_t wholeBits = 0; ///< VaryingTable::wholeBits
};

/// Of CaseSchema::likelihoods and tables, in their order, as far as a program knows them: tables
/// have numbers for names.
std::vector<WeightRule> weightRulesOf(const LaneProgram &program);

/// Throws Error(Usage) for a block of another schema than the program's, for more cases than it has
/// room for, for codes above "not observed", for weights that break their rule, and for a
/// likelihood whose weights are all zero; it names the column and the case, and of a number that is
/// out of range both.
void checkBlock(const LaneProgram &program, std::span<const WeightRule> rules,
                const CaseBlock &block);

} // namespace mpf
