// What the columns of a list of cases set. A *case* is one row: it may set the states of observed
// variables, likelihoods of variables, parameters of the model, and entries of its tables.
#pragma once

#include "dsl/support/ids.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

/// A variable that cases may observe, in one state or not at all.
struct CaseVariable {
  VarId variable;
  uint32_t extent = 0;
};

/// A table of which each case has its own entries, row-major over the scope: that of factors whose
/// values follow from params (Factor::formula), or that a file or a host program gives.
struct VaryingTable {
  std::vector<FactorId> factors; ///< of the model, that have the same entries in each case; a
                                 ///< program that was read does not tell them
  uint64_t sizeElems = 0;
  bool nonNegative = false; ///< in every case
  /// Each entry is a whole number below 2^wholeBits in every case; 0: it need not be one.
  int32_t wholeBits = 0;
  /// How many columns of a file set entries, and the names of the first of them, for people.
  uint64_t columnCount = 0;
  std::vector<std::string> firstColumns = {};
};

/// So many are named.
inline constexpr size_t kMostFirstColumns = 4;

/// The columns of a list of cases, by what they set. A file may have them in any order; it is the
/// reader's business which cell belongs to which.
struct CaseSchema {
  std::vector<CaseVariable> observed;    ///< one code each; distinct variables
  std::vector<CaseVariable> likelihoods; ///< one weight for each state; distinct variables
  std::vector<std::string> params;       ///< one number each; distinct names
  std::vector<VaryingTable> tables;      ///< their entries are weights too, behind those of states
  /// Names of columns whose text says nothing here, and is written beside the answers.
  std::vector<std::string> kept = {};

  /// Likelihoods and tables, numbered in this order: what has weights in each case.
  size_t weightTableCount() const { return likelihoods.size() + tables.size(); }
  uint64_t weightTableElems(size_t number) const {
    return number < likelihoods.size() ? likelihoods[number].extent
                                       : tables[number - likelihoods.size()].sizeElems;
  }
  bool isNonNegative(size_t number) const {
    return number < likelihoods.size() || tables[number - likelihoods.size()].nonNegative;
  }
  /// The first of the weights of likelihood or table `number`, in one case.
  size_t firstWeight(size_t number) const {
    size_t first = 0;
    for (size_t before = 0; before < number; ++before)
      first += weightTableElems(before);
    return first;
  }
  /// The weights of one case.
  size_t weightCount() const { return firstWeight(weightTableCount()); }
};

/// Bytes of one code: the codes of a variable of `extent` states are 0 to `extent`.
constexpr unsigned codeBytesFor(uint32_t extent) {
  return extent <= UINT8_MAX ? 1 : extent <= UINT16_MAX ? 2 : 4;
}

/// Bytes of every code of a list: those of the largest variable, at least 1.
inline unsigned codeBytesFor(const CaseSchema &schema) {
  unsigned bytes = 1;
  for (const CaseVariable &variable : schema.observed)
    bytes = codeBytesFor(variable.extent) > bytes ? codeBytesFor(variable.extent) : bytes;
  return bytes;
}

} // namespace mpf
