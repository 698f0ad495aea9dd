// Swept params as cases: one for each combination of their values.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"

#include <memory>
#include <vector>

namespace mpf {

/// Combines every case of `rows` with every combination of the values of `sweeps` (at least one).
/// If `rows` is null, one case that sets nothing takes its place. The combinations of a row follow
/// each other, the last param fastest. The swept params are the last ones of the schema; `rows`
/// sets none of them. Throws Error(BadInput), at the last sweep's place, for more than 2^63
/// combinations.
std::unique_ptr<CaseSource> sweptCases(std::shared_ptr<CaseSource> rows,
                                       const std::vector<SweptParam> &sweeps);

} // namespace mpf
