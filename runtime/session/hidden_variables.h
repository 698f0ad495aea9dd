// The variables of a bundle that results do not show: auxiliary ones, and those whose posteriors
// the query does not ask for.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/result/result.h"

#include <string>
#include <unordered_set>

namespace mpf {

class HiddenVariables {
public:
  explicit HiddenVariables(const Bundle &bundle);

  /// Removes these variables and posteriors. The user's variables come before the auxiliary ones,
  /// so the numbers of variables stay valid.
  void dropFrom(Result &result) const;

private:
  std::unordered_set<std::string> auxiliaries_; ///< names of HeadVariable::auxiliary
  std::unordered_set<std::string> unasked_;     ///< names of HeadVariable::unasked
};

} // namespace mpf
