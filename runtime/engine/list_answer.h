// The answer plan of a list of cases (runtime/choose/answer/answer_plan.h), for texts that describe
// the choice. A run opens the engine that this plan chooses, unless opening it fails.
#pragma once

#include "runtime/choose/answer/answer_plan.h"
#include "runtime/engine/choose_engine.h"

#include <vector>

namespace mpf {

/// Returns the facts of every engine with the predicted times of `cases`. An engine has several if
/// its device may refuse the first; one that refuses has one.
std::vector<std::vector<EngineFacts>> engineFacts(const std::vector<ConsideredEngine> &engines,
                                                  double cases);

/// Returns the plan: a candidate for each engine. `facts`: those of engineFacts. Throws as
/// rethrowRefusal if all engines refuse.
AnswerPlan listAnswerPlan(const CaseProblem &problem, const std::vector<ConsideredEngine> &engines,
                          const std::vector<std::vector<EngineFacts>> &facts);

} // namespace mpf
