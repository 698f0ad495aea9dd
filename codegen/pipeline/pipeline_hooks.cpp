#include "codegen/pipeline/pipeline_hooks.h"

#include <utility>

namespace mpf {

namespace {

/// Returns a function that calls both. An empty one stays empty: stages do less without listeners.
template <class Event>
std::function<void(const Event &)> both(std::function<void(const Event &)> first,
                                        std::function<void(const Event &)> second) {
  if (!first || !second)
    return first ? std::move(first) : std::move(second);
  return [first = std::move(first), second = std::move(second)](const Event &event) {
    first(event);
    second(event);
  };
}

} // namespace

PipelineHooks bothHooks(PipelineHooks first, PipelineHooks second) {
  PipelineHooks hooks;
  hooks.afterSimplifyPass =
      both(std::move(first.afterSimplifyPass), std::move(second.afterSimplifyPass));
  hooks.planningBegins = both(std::move(first.planningBegins), std::move(second.planningBegins));
  hooks.afterRound = both(std::move(first.afterRound), std::move(second.afterRound));
  hooks.searched = both(std::move(first.searched), std::move(second.searched));
  hooks.ordered = both(std::move(first.ordered), std::move(second.ordered));
  hooks.afterPlanPass = both(std::move(first.afterPlanPass), std::move(second.afterPlanPass));
  hooks.compareText = first.compareText || second.compareText;
  return hooks;
}

} // namespace mpf
