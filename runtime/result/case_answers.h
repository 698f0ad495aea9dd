// CASE ANSWERS: what a query answers to one block of cases, as plain data. One row for each case.
#pragma once

#include "dsl/support/error.h"
#include "dsl/support/integer_value.h"
#include "dsl/support/query_traits.h"
#include "dsl/support/scaled_number.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mpf {

/// A table of results for each case. Value of entry e of case i: entries[i * size + e] *
/// 2^exponents[i]. Posteriors have exponent 0.
struct CaseTable {
  std::string name;                   ///< the query, or for marginals "evidence" or the variable
  std::vector<std::string> variables; ///< axes of the table; none: one number
  std::vector<uint32_t> extents;      ///< one per variable
  /// A posterior: the entries of a case add up to 1; all are 0 where its evidence has probability
  /// 0.
  bool normalised = false;
  bool isAsked = false;   ///< a posterior that was asked for, no marginal: its entries keep digits
  bool logValues = false; ///< the query asked for natural logs (logsum): its answer is ln(at())
  bool isInteger = false; ///< a query in u64 or u128: `integerEntries` has the exact entries
  size_t size = 1;        ///< entries of one case, the last variable fastest
  std::vector<double> entries;
  std::vector<Uint128> integerEntries; ///< as `entries`, which are the nearest doubles; else empty
  std::vector<int32_t> exponents;      ///< one per case
  /// Cases whose entries are further apart than the exponents of doubles, by place in the block:
  /// `entries` holds what it can of them, 0 for the rest. Not of marginals.
  std::map<uint64_t, std::vector<ScaledNumber>> farApart;

  ScaledNumber at(uint64_t i, size_t entry = 0) const {
    if (!farApart.empty())
      if (const auto found = farApart.find(i); found != farApart.end())
        return found->second[entry];
    return ScaledNumber::fromValue(entries[i * size + entry], exponents[i]);
  }
};

/// A case that a query has no answer to: a count that does not fit its type, or what the case sets
/// cannot be computed with.
struct RefusedCase {
  uint32_t place = 0; ///< in the block
  ErrorKind kind = ErrorKind::BadInput;
  std::string why;
};

struct CaseAnswers {
  uint32_t count = 0;               ///< cases
  std::vector<RefusedCase> refused; ///< ascending; what stands at their places does not matter
  std::vector<CaseTable> tables;
  /// Best assignments: the state of variable v of the model in case i is states[i * variables + v].
  /// Where all assignments have the value 0, every state is kNoState.
  static constexpr uint32_t kNoState = UINT32_MAX;
  std::vector<uint32_t> states;
  size_t variables = 0; ///< variables of the model; 0: the query decodes no assignment
};

} // namespace mpf
