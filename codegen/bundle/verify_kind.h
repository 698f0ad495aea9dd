// The rules of the kinds of queries for outputs and decoded variables.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// Throws Error(BadInput) with the first broken rule; outputs and tracebacks themselves are sound
/// already.
///  - Marginals and best assignments answer for each variable once, as far as it is open.
///  - Joined queries have the evidence, which is a number, then posteriors.
///  - Joint posteriors alone have rows (BundleOutput::rowVariables).
void verifyKind(const Bundle &bundle);

} // namespace mpf
