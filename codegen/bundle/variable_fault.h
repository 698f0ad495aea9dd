// The rule that variables of a bundle and of its postsolve map share.
#pragma once

#include <fmt/core.h>
#include <string>

namespace mpf {

/// Returns the fault of a variable's labels, given its extent; empty if they are sound. Variable is
/// BundleVariable or AnswerVariable.
template <class Variable> std::string variableFault(const Variable &variable) {
  if (!variable.labels.empty() && variable.labels.size() != variable.extent)
    return fmt::format("variable {} has {} labels for {} states", variable.name,
                       variable.labels.size(), variable.extent);
  return {};
}

} // namespace mpf
