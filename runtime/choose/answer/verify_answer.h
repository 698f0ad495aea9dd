// Verifies answer plans: sessions before they open one, texts before they print one.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/choose/answer/answer_plan.h"

#include <string>

namespace mpf {

/// Returns what is wrong with a plan, in one sentence; empty: nothing. A sound plan chooses a
/// candidate that the devices allow and that does not refuse. If predicted times decide about a
/// single result, no other such candidate takes less time. A list has the choice of chooseForList.
/// `bundle`: the program of a single result, for which operations are placed; null: the placement
/// is not checked.
std::string answerPlanFault(const AnswerPlan &plan, const Bundle *bundle = nullptr);

} // namespace mpf
