// The order in which plans for the same work are offered to a choice by measuring.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace mpf {

/// No plan is offered that is, by the model, so many times slower than the first.
inline constexpr double kRivalSlowdown = 1.6;

/// The plan at `best`, then the others by modelled time, each kernel once and at most `most` of
/// them. `setName` gives a plan the name that equal kernels share. For kernel and chain plans.
template <class Plan, class SetName>
std::vector<Plan> bestFirst(std::vector<Plan> plans, size_t best, size_t most, SetName setName) {
  std::swap(plans.front(), plans[best]);
  std::stable_sort(plans.begin() + 1, plans.end(),
                   [](const Plan &a, const Plan &b) { return a.predictedUs < b.predictedUs; });
  const double limitUs = kRivalSlowdown * plans.front().predictedUs;
  std::vector<Plan> kept;
  for (Plan &plan : plans) {
    if (!kept.empty() && (kept.size() >= most || plan.predictedUs > limitUs))
      break;
    setName(plan);
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const Plan &other) { return other.name == plan.name; }))
      kept.push_back(std::move(plan));
  }
  return kept;
}

} // namespace mpf
