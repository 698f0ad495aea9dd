// Orders the plans for one piece of work for autotune: which of them are measured, and which first.
#pragma once

#include "codegen/kernel/plan/kernel_header.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace mpf {

/// Plans whose modelled time exceeds this multiple of the best plan's are not offered. For each of
/// 80 buckets 16 kernels were measured: the modelled time of the fastest one exceeded the best
/// modelled time by a factor of 1.17 at most.
inline constexpr double kCandidateSlowdown = 1.2;

/// Returns plans[best] and then others, each kernel once, at most `most` plans in total. The others
/// are ordered by modelled time, but one plan of each kind (kindOf) comes before a second one of
/// any kind. The reason is that the model errs alike for kernels of one kind. `setName` names a
/// plan; equal kernels get equal names. `Plan` is the plan type of a family, or KernelPlan.
template <class Plan, class SetName>
std::vector<Plan> diversifyCandidates(std::vector<Plan> plans, size_t best, size_t most,
                                      SetName setName) {
  MPF_CHECK(best < plans.size(), "the best is plan {} of {}", best, plans.size());
  std::swap(plans.front(), plans[best]);
  std::stable_sort(plans.begin() + 1, plans.end(), [](const Plan &a, const Plan &b) {
    return headerOf(a).predictedUs < headerOf(b).predictedUs;
  });
  const double limitUs = kCandidateSlowdown * headerOf(plans.front()).predictedUs;
  std::vector<Plan> kept;
  std::vector<size_t> others; // plans whose kind is in `kept` already
  const auto keep = [&](Plan &plan) {
    setName(plan);
    if (std::none_of(kept.begin(), kept.end(), [&](const Plan &other) {
          return headerOf(other).name == headerOf(plan).name;
        }))
      kept.push_back(std::move(plan));
  };
  for (size_t i = 0; i < plans.size() && (i == 0 || kept.size() < most); ++i) {
    if (i > 0 && headerOf(plans[i]).predictedUs > limitUs)
      break;
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const Plan &other) { return kindOf(other) == kindOf(plans[i]); }))
      keep(plans[i]);
    else
      others.push_back(i);
  }
  for (size_t i = 0; i < others.size() && kept.size() < most; ++i)
    keep(plans[others[i]]);
  return kept;
}

} // namespace mpf
