// One block of cases through the engines of all queries.
#pragma once

#include "runtime/engine/case_engine.h"
#include "tools/mpfc/cases/case_pipeline.h"

#include <span>

namespace mpf::driver {

/// Whether all of them answer on devices: then sendJob() may be called.
bool canSend(std::span<const CaseEngine> engines);

/// All devices take the block, or none keeps it: a job that waits holds nothing that others wait
/// for. False: not all have room. Throws as CaseEngine::send.
bool sendJob(const CaseSource &source, std::span<const CaseEngine> engines, CaseJob &job);

/// Fills job.answers, one per engine: of what was sent, the rest of the work; of what was not, or
/// was refused by a device as rows that are none, all of it, for which a block that nobody has read
/// is read. An engine whose device has answered is not asked again. Throws as CaseEngine::answer.
void answerJob(const CaseSource &source, std::span<const CaseEngine> engines, CaseJob &job);

} // namespace mpf::driver
