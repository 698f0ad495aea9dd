// PROGRAM HEAD: what a program of any form says about itself. Its body follows in the struct of the
// form: table programs are bundles (bundle.h), lane programs answer lists of cases
// (lanes/lane_program.h). Depends on dsl/support only.
#pragma once

#include "dsl/support/query_traits.h"
#include "dsl/support/semiring.h"

#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <vector>

namespace mpf {

struct HeadVariable {
  std::string name;
  uint32_t extent = 0;             ///< number of states
  std::vector<std::string> labels; ///< one per state, or empty
  bool auxiliary = false;          ///< answers leave it out (Variable::auxiliary)
  bool unasked = false;            ///< answers leave its posterior out (Variable::unasked)

  /// Whether answers to marginals have its posterior, if it is not observed.
  bool hasPosterior() const { return !auxiliary && !unasked; }
};

/// Returns the fault of a variable's labels; empty if they are sound.
inline std::string labelsFault(const HeadVariable &variable) {
  if (!variable.labels.empty() && variable.labels.size() != variable.extent)
    return fmt::format("variable {} has {} labels for {} states", variable.name,
                       variable.labels.size(), variable.extent);
  return {};
}

struct ProgramHead {
  std::string name; ///< the query
  QueryKind kind = QueryKind::Evidence;
  ElementType type = ElementType::F64; ///< of all tables; a lane program has F32 or F64
  std::vector<HeadVariable> variables; ///< with the numbers of the model's
};

} // namespace mpf
