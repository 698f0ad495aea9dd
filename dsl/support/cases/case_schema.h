// The columns of a list of cases. A *case* is one row: it may set the states of observed variables,
// likelihoods of variables, parameters of the model, and entries of its tables.
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

/// A table with separate entries for each case, row-major over the scope. Its factors have values
/// that follow from params (Factor::formula), or that a file or a host program gives.
struct VaryingTable {
  std::vector<FactorId> factors; ///< factors of the model with these entries; empty in a program
                                 ///< that was read from a file
  uint64_t sizeElems = 0;
  bool nonNegative = false; ///< whether no entry is negative in any case
  /// Each entry is a whole number below 2^wholeBits in every case; 0: it need not be one.
  int32_t wholeBits = 0;
  /// Number of columns of a file that set entries, and the names of the first of them, for
  /// messages.
  uint64_t columnCount = 0;
  std::vector<std::string> firstColumns = {};
};

/// Most names in VaryingTable::firstColumns.
inline constexpr size_t kMostFirstColumns = 4;

/// The columns of a list of cases, by the things that they set. A file may have them in any order;
/// its reader assigns the cells.
struct CaseSchema {
  std::vector<CaseVariable> observed;    ///< one code each; distinct variables
  std::vector<CaseVariable> likelihoods; ///< one weight for each state; distinct variables
  std::vector<std::string> params;       ///< one number each; distinct names
  std::vector<VaryingTable> tables; ///< their entries are weights too, after those of likelihoods
  /// Names of columns that set nothing and whose text is written beside the answers.
  std::vector<std::string> kept = {};

  /// Returns the number of likelihoods and tables, which have weights in each case. They are
  /// numbered in this order.
  size_t weightTableCount() const { return likelihoods.size() + tables.size(); }
  uint64_t weightTableElems(size_t number) const {
    return number < likelihoods.size() ? likelihoods[number].extent
                                       : tables[number - likelihoods.size()].sizeElems;
  }
  bool isNonNegative(size_t number) const {
    return number < likelihoods.size() || tables[number - likelihoods.size()].nonNegative;
  }
  /// Returns the first of the weights of likelihood or table `number`, in one case.
  size_t firstWeight(size_t number) const {
    size_t first = 0;
    for (size_t before = 0; before < number; ++before)
      first += weightTableElems(before);
    return first;
  }
  /// Returns the number of weights of one case.
  size_t weightCount() const { return firstWeight(weightTableCount()); }
};

/// Returns the bytes of one code: the codes of a variable of `extent` states are 0 to `extent`.
constexpr unsigned codeBytesFor(uint32_t extent) {
  return extent <= UINT8_MAX ? 1 : extent <= UINT16_MAX ? 2 : 4;
}

/// Returns the bytes of every code of a list: those of the largest variable, at least 1.
inline unsigned codeBytesFor(const CaseSchema &schema) {
  unsigned bytes = 1;
  for (const CaseVariable &variable : schema.observed)
    bytes = codeBytesFor(variable.extent) > bytes ? codeBytesFor(variable.extent) : bytes;
  return bytes;
}

} // namespace mpf
