// Takes one block of cases through the engines of all queries.
#pragma once

#include "runtime/engine/case_engine.h"
#include "tools/mpfc/cases/case_pipeline.h"

#include <span>

namespace mpf::driver {

/// Whether all engines answer on devices: then sendJob() may be called.
bool canSend(std::span<const CaseEngine> engines);

/// Sends the block to all devices, or returns false if not all have room. Then no device keeps it:
/// a waiting job must not hold room that other jobs wait for. Throws as CaseEngine::send.
bool sendJob(const CaseSource &source, std::span<const CaseEngine> engines, CaseJob &job);

/// Fills job.answers, one per engine. Waits for the devices that have the block. An engine whose
/// device has no answer, because nothing was sent or the device refused some rows, answers the
/// whole block. The block is read first if it was not read yet. Throws as CaseEngine::answer.
void answerJob(const CaseSource &source, std::span<const CaseEngine> engines, CaseJob &job);

} // namespace mpf::driver
