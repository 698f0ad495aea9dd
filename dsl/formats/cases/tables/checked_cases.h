// A list of cases that are completed and checked after they were read.
#pragma once

#include "dsl/formats/cases/tables/table_check.h"
#include "dsl/support/cases/case_source.h"

#include <functional>
#include <memory>
#include <vector>

namespace mpf {

/// Completes the cases of a block. Returns the faulty ones by place, each once. Several threads may
/// call it with different blocks.
using CompleteCases = std::function<std::vector<CaseFault>(CaseBlock &)>;

/// Returns the cases of `given`, completed by `complete`. `schema` is the schema of `given`,
/// perhaps with further tables. Faulty cases are bad rows. If rows of `given` have known places,
/// any thread may read them.
std::unique_ptr<CaseSource> checkedCases(std::shared_ptr<CaseSource> given, CaseSchema schema,
                                         CompleteCases complete);

} // namespace mpf
