// A list of cases, some of which turn out to be wrong once they are read.
#pragma once

#include "dsl/formats/cases/tables/table_check.h"
#include "dsl/support/cases/case_source.h"

#include <functional>
#include <memory>
#include <vector>

namespace mpf {

/// Completes the cases of a block. Returns those that are wrong, by place, each once, and none that
/// is skipped. Any number of threads may call it, each with a block of its own.
using CompleteCases = std::function<std::vector<CaseFault>(CaseBlock &)>;

/// The cases of `given` with the tables of `schema`, which has its columns and perhaps more tables,
/// as `complete` completes them. What is wrong then is a bad row. Where rows of `given` have known
/// places, any thread reads them.
std::unique_ptr<CaseSource> checkedCases(std::shared_ptr<CaseSource> given, CaseSchema schema,
                                         CompleteCases complete);

} // namespace mpf
