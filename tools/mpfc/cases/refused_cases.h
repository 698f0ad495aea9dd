// Cases that a query has no answer to, as bad rows: the list ends in front of the first, or each
// keeps its place without an answer.
#pragma once

#include "dsl/support/cases/case_source.h"
#include "tools/mpfc/cases/case_pipeline.h"

namespace mpf::driver {

/// Of job.answers: CaseAnswers::refused of any query. Stop: cuts the block in front of the first of
/// them, with job.report.end. Skip: adds them to the block's skipped cases and to job.refused.
void settleRefused(const CaseSource &source, OnBadRow onBadRow, CaseJob &job);

} // namespace mpf::driver
