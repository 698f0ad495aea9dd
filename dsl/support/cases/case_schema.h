// What the columns of a list of cases set. A *case* is one row: it may set the states of observed
// variables, likelihoods of variables, and parameters of the model.
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

/// The columns of a list of cases, by what they set. A file may have them in any order; it is the
/// reader's business which cell belongs to which.
struct CaseSchema {
  std::vector<CaseVariable> observed;    ///< one code each; distinct variables
  std::vector<CaseVariable> likelihoods; ///< one weight for each state; distinct variables
  std::vector<std::string> params;       ///< one number each; distinct names

  /// The weights of one case: the extents of all `likelihoods`.
  size_t weightCount() const {
    size_t count = 0;
    for (const CaseVariable &variable : likelihoods)
      count += variable.extent;
    return count;
  }
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
