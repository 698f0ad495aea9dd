// Cases that a query has no answer to, as bad rows: the list ends in front of the first, or the
// cells of that query stay empty.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "tools/mpfc/cases/case_pipeline.h"

#include <cstdint>
#include <vector>

namespace mpf::driver {

/// Of job.answers, by query: CaseAnswers::refused. Stop: cuts the block in front of the first of
/// them, with job.report.end. Skip: adds them to job.refused. Any number of threads, each with a
/// job of its own, while another reads `source`.
void settleRefused(const CaseSource &source, const std::vector<Query> &queries, OnBadRow onBadRow,
                   CaseJob &job);

/// The places in the block, ascending, at which the query has no answer: cases that were skipped,
/// and those that it refused.
std::vector<uint32_t> unansweredCases(const CaseJob &job, size_t query);

} // namespace mpf::driver
