// --emit=answer: the candidates of an answer, their predicted times and memory, and the choice.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/model/model.h"
#include "runtime/choose/answer/answer_plan.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <string>
#include <vector>

namespace mpf::driver {

/// Returns the plan of a session of the bundle, on a machine with the GPU of the options and with
/// --max-memory of memory (default: any amount). `predictsAll` as AnswerConditions.
AnswerPlan answerPlanFor(const Bundle &bundle, const DeviceRequest &devices, const Options &options,
                         bool predictsAll);

/// Returns the plans of single results.
std::string emitAnswers(const std::vector<Bundle> &bundles, const Options &options);

/// Returns the plans of lists of cases, one for each selected query, as a run on this machine makes
/// them.
std::string emitListAnswers(const Model &model, const Options &options, Refusals &refusals);

} // namespace mpf::driver
