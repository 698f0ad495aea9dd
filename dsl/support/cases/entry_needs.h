// What queries need of the numbers that cases set: entries of tables, weights of likelihoods.
#pragma once

#include "dsl/support/format_id.h"
#include "dsl/support/integer_value.h"

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace mpf {

struct EntryNeeds {
  bool nonNegative = false; ///< of every table
  /// By factor of the model; by variable, of a likelihood of it: some query counts in whole
  /// numbers, and this is one of its factors. Empty: none does.
  std::vector<char> wholeFactors = {}, wholeLikelihoods = {};

  /// What VaryingTable::wholeBits is of this factor, whose entries come from text or a formula.
  int32_t wholeBits(FactorId factor) const { return bitsIf(wholeFactors, factor.index()); }
  int32_t wholeBits(VarId likelihood) const { return bitsIf(wholeLikelihoods, likelihood.index()); }

private:
  static int32_t bitsIf(const std::vector<char> &whole, size_t index) {
    return index < whole.size() && whole[index] != 0 ? kExactTextBits : 0;
  }
};

/// What an entry must be, for messages: "a finite number", "a finite number of at least 0", "a
/// whole number from 0 to 2^53 - 1".
inline std::string entryRuleText(bool nonNegative, int32_t wholeBits) {
  if (wholeBits != 0)
    return fmt::format("a whole number from 0 to 2^{} - 1", wholeBits);
  return nonNegative ? "a finite number of at least 0" : "a finite number";
}

} // namespace mpf
