// The conditions of queries on the numbers that cases set: entries of tables, weights of
// likelihoods.
#pragma once

#include "dsl/support/format_id.h"
#include "dsl/support/integer_value.h"

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace mpf {

struct EntryNeeds {
  bool nonNegative = false; ///< whether no table may have negative entries
  /// Whether a query in whole numbers has this factor, or a likelihood of this variable, as a
  /// factor; by factor and by variable of the model. Empty: no query counts in whole numbers.
  std::vector<char> wholeFactors = {}, wholeLikelihoods = {};

  /// Returns VaryingTable::wholeBits of this factor, whose entries come from text or a formula.
  int32_t wholeBits(FactorId factor) const { return bitsIf(wholeFactors, factor.index()); }
  int32_t wholeBits(VarId likelihood) const { return bitsIf(wholeLikelihoods, likelihood.index()); }

private:
  static int32_t bitsIf(const std::vector<char> &whole, size_t index) {
    return index < whole.size() && whole[index] != 0 ? kExactTextBits : 0;
  }
};

/// Returns the condition on an entry, for messages: "a finite number", "a finite number of at least
/// 0", "a whole number from 0 to 2^53 - 1".
inline std::string entryRuleText(bool nonNegative, int32_t wholeBits) {
  if (wholeBits != 0)
    return fmt::format("a whole number from 0 to 2^{} - 1", wholeBits);
  return nonNegative ? "a finite number of at least 0" : "a finite number";
}

} // namespace mpf
