// Functions that a pipeline calls while it works. Callers that print, time or record passes supply
// them; the stages know nothing of it.
#pragma once

#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/simplify/simplify_pipeline.h"

#include <functional>
#include <string_view>

namespace mpf {

/// A query that is about to be planned.
struct PlanningEvent {
  std::string_view query;
  ElementType type = ElementType::F64;
};

/// Each may be empty. Called on the thread that compiles, in the order of what they tell about;
/// what a hook throws ends the compilation.
struct PipelineHooks {
  SimplifyHook afterSimplifyPass;
  std::function<void(const PlanningEvent &)> planningBegins;
  std::function<void(const SearchEffort &)> searched; ///< after the orders are chosen
  std::function<void(const OrdersFound &)> ordered;   ///< then: how long a run takes, roughly
  std::function<void(const PassEvent &)> afterPlanPass;
  bool compareText = false; ///< find out PassEvent::changed (prints every program)
};

/// Both are told, `first` before `second`.
PipelineHooks bothHooks(PipelineHooks first, PipelineHooks second);

} // namespace mpf
