// CASE ANSWERS: the answers of a query to one block of cases, as plain data, a row for each case.
#pragma once

#include "dsl/support/error.h"
#include "dsl/support/integer_value.h"
#include "dsl/support/query_traits.h"
#include "dsl/support/scaled_number.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace mpf {

/// A table of results for each case. The value of entry e of case i is entries[i * size + e] *
/// 2^exponents[i]. Posteriors have exponent 0.
struct CaseTable {
  std::string name;                   ///< the query, or for marginals "evidence" or the variable
  std::vector<std::string> variables; ///< axes of the table; none: one number
  std::vector<uint32_t> extents;      ///< one per variable
  /// True for a posterior: the entries of a case sum to 1, or are 0 if its evidence has
  /// probability 0.
  bool normalised = false;
  /// `P(x | y)`: the number of axes of y, which come first. The entries sum to 1 for each joint
  /// state of y, or are 0 if that has probability 0. 0: all entries together sum to 1.
  uint32_t rowVariables = 0;
  bool logValues = false; ///< the query asked for natural logs (logsum): its answer is ln(at())
  bool isInteger = false; ///< a query in u64 or u128: `integerEntries` has the exact entries
  size_t size = 1;        ///< entries of one case, the last variable fastest
  std::vector<double> entries;
  std::vector<Uint128> integerEntries; ///< exact `entries`, if isInteger; else empty
  std::vector<int32_t> exponents;      ///< one per case
  /// Cases whose entries exceed the range of doubles with a common exponent, by place in the block.
  /// `entries` then holds the entries that fit, and 0 for the others.
  std::map<uint64_t, std::vector<ScaledNumber>> farApart;
  /// With rowVariables: 1 for each row without posterior, row by row of each case. Empty: there are
  /// no such rows.
  std::vector<char> undefinedRows;

  /// Returns the number of entries that sum to 1 in a posterior.
  size_t rowElems() const {
    size_t elems = 1;
    for (size_t axis = rowVariables; axis < extents.size(); ++axis)
      elems *= extents[axis];
    return elems;
  }

  /// Whether entry `entry` of case i is in a row without posterior (rowVariables).
  bool isUndefined(uint64_t i, size_t entry) const {
    return !undefinedRows.empty() && undefinedRows[(i * size + entry) / rowElems()] != 0;
  }

  /// Sets all entries of case i to 0.
  void clear(uint64_t i) {
    std::fill_n(entries.data() + i * size, size, 0.0);
    exponents[i] = 0;
    farApart.erase(i);
  }

  ScaledNumber at(uint64_t i, size_t entry = 0) const {
    if (!farApart.empty())
      if (const auto found = farApart.find(i); found != farApart.end())
        return found->second[entry];
    return ScaledNumber::fromValue(entries[i * size + entry], exponents[i]);
  }

  /// Returns the natural logarithm of an entry: -infinity for 0, NaN for a value below 0 and in a
  /// row without posterior.
  double lnAt(uint64_t i, size_t entry = 0) const {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (isUndefined(i, entry))
      return kNone;
    if (farApart.empty())
      return entries[i * size + entry] < 0 ? kNone
                                           : lnOfScaled(entries[i * size + entry], exponents[i]);
    const ScaledNumber value = at(i, entry);
    return value.sign() < 0 ? kNone : value.ln();
  }
};

/// A case without an answer: a count does not fit its type, or the values that the case sets cannot
/// be used.
struct RefusedCase {
  uint32_t place = 0; ///< place of the case in the block
  ErrorKind kind = ErrorKind::BadInput;
  std::string why;
};

struct CaseAnswers {
  uint32_t count = 0;               ///< cases
  std::vector<RefusedCase> refused; ///< ascending by place; answers at these places are undefined
  std::vector<CaseTable> tables;
  /// The state of every variable of a case whose assignments all have the value 0.
  static constexpr uint32_t kNoState = UINT32_MAX;
  /// Best assignments: states[i * variables + v] is the state of the model's variable v in case i.
  std::vector<uint32_t> states;
  size_t variables = 0; ///< number of variables of the model; 0: the query decodes no assignment
};

} // namespace mpf
