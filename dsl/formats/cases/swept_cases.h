// Swept params as cases: one for each combination of their values.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"

#include <memory>
#include <vector>

namespace mpf {

/// Every case of `rows`, or one case that sets nothing if that is null, with every combination of
/// the values of `sweeps` (at least one). The combinations of one row follow each other, the last
/// param fastest. The params come behind those of the rows, which set none of them. Throws
/// Error(BadInput), at the last sweep's place, for more than 2^63 combinations.
std::unique_ptr<CaseSource> sweptCases(std::shared_ptr<CaseSource> rows,
                                       const std::vector<SweptParam> &sweeps);

} // namespace mpf
