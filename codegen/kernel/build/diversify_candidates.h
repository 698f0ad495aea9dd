// The order in which plans for the same work are offered to a choice by measuring.
#pragma once

#include "codegen/kernel/plan/kernel_header.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace mpf {

/// No plan is offered that is, by the model, so many times slower than the first: of 80 buckets'
/// fastest kernels of 16 none was by more than 1.17.
inline constexpr double kRivalSlowdown = 1.2;

/// The plan at `best`, then the others, each kernel once and at most `most` of them: by modelled
/// time, but one of each kind (kindOf) before a second of any, since errors of the model are alike
/// for kernels that are. `setName` gives a plan the name that equal kernels share. For plans of one
/// family or of any.
template <class Plan, class SetName>
std::vector<Plan> diversifyCandidates(std::vector<Plan> plans, size_t best, size_t most,
                                      SetName setName) {
  std::swap(plans.front(), plans[best]);
  std::stable_sort(plans.begin() + 1, plans.end(), [](const Plan &a, const Plan &b) {
    return headerOf(a).predictedUs < headerOf(b).predictedUs;
  });
  const double limitUs = kRivalSlowdown * headerOf(plans.front()).predictedUs;
  std::vector<Plan> kept;
  std::vector<size_t> others; // that are not of a new kind
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
