// Handles cases that a query refuses like bad rows: the list ends before the first of them, or the
// cells of that query stay empty.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "tools/mpfc/cases/case_pipeline.h"

#include <cstdint>
#include <vector>

namespace mpf::driver {

/// Handles the refused cases of all queries (CaseAnswers::refused of job.answers). Stop: cuts the
/// block before the first of them and sets job.report.end. Skip: adds them to job.refused. Any
/// number of threads may call it, each with a separate job, while another thread reads `source`.
void settleRefused(const CaseSource &source, const std::vector<Query> &queries, OnBadRow onBadRow,
                   CaseJob &job);

/// Returns the places in the block, ascending, of cases without an answer: cases that were skipped,
/// and those that the query refused.
std::vector<uint32_t> unansweredCases(const CaseJob &job, size_t query);

} // namespace mpf::driver
