// The cases that a model lists itself (an evidence file with several samples) as a CaseSource.
#pragma once

#include "dsl/support/cases/case_source.h"
#include "dsl/support/evidence.h"

#include <functional>
#include <memory>
#include <string>

namespace mpf {

struct SplitEvidence {
  Evidence common; ///< findings with equal states in all cases, and likelihoods; not listed
  std::unique_ptr<CaseSource> cases; ///< the findings that differ
};

/// Splits `evidence`, which is listed. `extentOf` returns the extent of a variable. `name` is the
/// list's name in messages.
SplitEvidence splitListedEvidence(const Evidence &evidence,
                                  const std::function<uint32_t(VarId)> &extentOf, std::string name);

} // namespace mpf
