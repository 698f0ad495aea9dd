// Defines functions that a pipeline calls while it works. Callers that print, time or record passes
// supply them; the stages do not know their use.
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

/// The functions may be empty. They are called on the thread that compiles, in the order of events.
/// An exception that a hook throws ends the compilation.
struct PipelineHooks {
  SimplifyHook afterSimplifyPass;
  std::function<void(const PlanningEvent &)> planningBegins;
  SearchListener afterRound;                        ///< of the search for orders
  SearchListener searched;                          ///< after the orders are chosen
  std::function<void(const OrdersFound &)> ordered; ///< after that, with the predicted operations
  std::function<void(const PassEvent &)> afterPlanPass;
  bool compareText = false; ///< find out PassEvent::changed (prints every program)
};

/// Returns hooks that call both, `first` before `second`.
PipelineHooks bothHooks(PipelineHooks first, PipelineHooks second);

} // namespace mpf
