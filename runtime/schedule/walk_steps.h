// Walks a schedule with its repeats. Calls a function for every step (or stretch of steps), for all
// states of the loops around it. All executors use it.
#pragma once

#include "runtime/schedule/schedule.h"

#include <span>
#include <utility>
#include <vector>

namespace mpf {

/// States of the sliced variables, one per loop; those of loops that are not open are 0. When all
/// states run, a loop is in its first iteration exactly when its state is 0.
using SliceStates = std::vector<uint32_t>;

/// Returns the steps that a loop repeats. `rest`: all steps behind the loop's Repeat.
inline std::span<const ScheduleStep> loopBody(std::span<const ScheduleStep> rest) {
  size_t at = 0;
  for (size_t open = 1;; ++at) {
    open += rest[at].kind == StepKind::Repeat;
    open -= rest[at].kind == StepKind::EndRepeat;
    if (open == 0)
      return rest.first(at);
  }
}

/// Calls f(stretch, states) for every stretch of steps between repeats, a span of `steps`. With
/// `only`, every loop runs once, for that state: one slice. Steps must be properly nested, as
/// buildSchedule makes them. `states` are those of the loops around the steps.
///
/// Before loop k, counted from 1, it calls takesLoop(k, rest, states) with the steps behind the
/// Repeat. If that returns true, it has run the loop, for all of its states.
template <class F, class TakesLoop>
void walkLoops(std::span<const ScheduleStep> steps, const Bundle &bundle,
               std::span<const uint32_t> only, SliceStates states, F f, TakesLoop takesLoop) {
  std::vector<size_t> begins; // of the open loops
  for (size_t at = 0; at < steps.size(); ++at) {
    const ScheduleStep &step = steps[at];
    if (step.kind == StepKind::Repeat) {
      const std::span<const ScheduleStep> rest = steps.subspan(at + 1);
      if (takesLoop(step.index + 1, rest, std::as_const(states))) {
        at += loopBody(rest).size() + 1;
        continue;
      }
      begins.push_back(at);
      states[step.index] = only.empty() ? 0 : only[step.index];
    } else if (step.kind == StepKind::EndRepeat) {
      const uint32_t extent = bundle.variables[bundle.sliced[step.index].index()].extent;
      if (only.empty() && ++states[step.index] < extent) {
        at = begins.back();
      } else {
        states[step.index] = 0;
        begins.pop_back();
      }
    } else {
      const size_t begin = at;
      while (at + 1 < steps.size() && steps[at + 1].kind != StepKind::Repeat &&
             steps[at + 1].kind != StepKind::EndRepeat)
        ++at;
      f(steps.subspan(begin, at + 1 - begin), std::as_const(states));
    }
  }
}

/// Calls f(stretch, states) like walkLoops, and runs every loop itself.
template <class F>
void walkStretches(std::span<const ScheduleStep> steps, const Bundle &bundle,
                   std::span<const uint32_t> only, F f) {
  walkLoops(steps, bundle, only, SliceStates(bundle.sliced.size(), 0), f,
            [](uint32_t, std::span<const ScheduleStep>, const SliceStates &) { return false; });
}

/// Calls f(step, states) for every step that is no repeat, in the same order.
template <class F>
void walkSteps(std::span<const ScheduleStep> steps, const Bundle &bundle,
               std::span<const uint32_t> only, F f) {
  walkStretches(steps, bundle, only,
                [&f](std::span<const ScheduleStep> stretch, const SliceStates &states) {
                  for (const ScheduleStep &step : stretch)
                    f(step, states);
                });
}

/// Returns the offset of an access in the given slice, in entries.
inline uint64_t sliceOffsetElems(const BundleAccess &access, const SliceStates &states) {
  uint64_t offset = 0;
  for (size_t i = 0; i < access.sliceStridesElems.size(); ++i)
    offset += states[i] * access.sliceStridesElems[i];
  return offset;
}

} // namespace mpf
