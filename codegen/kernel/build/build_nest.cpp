#include "codegen/kernel/build/build_nest.h"

#include "codegen/kernel/build/assemble_plan.h"
#include "codegen/kernel/build/candidates.h"
#include "codegen/kernel/build/conflict_free_strides.h"
#include "codegen/kernel/build/name_kernel.h"
#include "codegen/kernel/cost/cost_model.h"
#include "codegen/kernel/cost/occupancy.h"
#include "codegen/kernel/plan/bank_conflicts.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/text/print_nest.h"
#include "codegen/plan/program/planning_budget.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace mpf {

namespace {
constexpr size_t kFinalists = 6;          ///< candidates whose paddings are searched in any case
constexpr size_t kMostFinalists = 48;     ///< the most that are searched if they may be better
constexpr double kFinalistUs = 4000;      ///< the time of such a search, which it must save
constexpr size_t kCandidateFinalists = 4; ///< further ones for each kernel beside the best

/// Returns a key that distinguishes all candidates of one form. Builders find the same candidate in
/// many ways.
std::string keyOf(const NestCandidate &candidate) {
  std::string key;
  const auto add = [&key](uint64_t number) {
    key.append(reinterpret_cast<const char *>(&number), sizeof number);
  };
  add(static_cast<uint64_t>(candidate.kind));
  add(candidate.stages);
  for (const Placement placement : candidate.placements)
    add(static_cast<uint64_t>(placement));
  for (const Axis &axis : candidate.axes) {
    add(static_cast<uint64_t>(axis.role));
    add(axis.digit.value);
    add(axis.extent);
    add(axis.step);
    add(axis.unroll);
    key += axis.name;
  }
  return key;
}

bool hasOverrides(const KernelOptions &options) {
  return options.blockThreads || options.sumChunk || options.registerOutputs || options.stages;
}

/// Whether the plan matches the overrides of the options.
bool matchesOverrides(const NestPlan &plan, const KernelOptions &options) {
  return (!options.blockThreads || plan.launch.blockThreads == *options.blockThreads) &&
         (!options.sumChunk || roleExtent(plan, AxisRole::Sum) == *options.sumChunk) &&
         (!options.registerOutputs ||
          roleExtent(plan, AxisRole::Register) == *options.registerOutputs) &&
         (!options.stages || plan.stages == *options.stages);
}

/// Whether the operation may gain from a tile. Copies and plain sums do not: they read no entry
/// twice.
bool tileIsWorthTrying(const DigitForm &form) {
  return form.keptAddresses() > 1 && form.reducedAddresses() > 1;
}

/// Whether pages can be in flight: all segments that are to be copied ahead have room in shared
/// memory.
bool pipelineStands(const NestPlan &plan, const NestCandidate &candidate) {
  if (plan.stages == 1)
    return true;
  MPF_CHECK(candidate.placements.size() == plan.segments.size(), "{} placements for {} segments",
            candidate.placements.size(), plan.segments.size());
  for (size_t i = 0; i < plan.segments.size(); ++i)
    if (candidate.placements[i] == Placement::Shared &&
        plan.segments[i].placement == Placement::Bypass)
      return false;
  return copiesSuffice(plan);
}

bool isWanted(const KernelOptions &options, NestKind kind) {
  return !options.family || options.family == kindName(kind);
}

/// Predicts the time of candidates before their paddings are searched, once for each candidate.
class CandidateTimes {
public:
  CandidateTimes(const DigitForm &form, const KernelOptions &options)
      : form_(form), options_(options) {}

  /// Returns the predicted time; kNever if the candidate does not fit or match.
  double of(const NestCandidate &candidate) {
    const auto [known, isNew] = judged_.try_emplace(keyOf(candidate), kNever);
    if (isNew)
      known->second = judge(candidate);
    return known->second;
  }

  /// Makes only candidates that match all overrides count from now on. Before, builders look for
  /// good tiles without regard to overrides of the block.
  void applyOverrides() {
    overridden_ = true;
    if (hasOverrides(options_))
      judged_.clear();
  }

private:
  double judge(const NestCandidate &candidate) const {
    NestPlan plan = assemblePlan(form_, candidate, options_);
    if (!fitsTarget(plan, options_.target) || !pipelineStands(plan, candidate) ||
        (overridden_ ? !matchesOverrides(plan, options_)
                     : options_.registerOutputs &&
                           roleExtent(plan, AxisRole::Register) != *options_.registerOutputs))
      return kNever;
    modelCost(plan, options_.target, Paddings::ToCome);
    return plan.predictedUs;
  }

  const DigitForm &form_;
  const KernelOptions &options_;
  bool overridden_ = false;
  std::unordered_map<std::string, double> judged_; ///< looked up, never walked
};

std::vector<NestCandidate> allCandidates(const DigitForm &form, const KernelOptions &options,
                                         CandidateTimes &times) {
  const Judge judge = [&times](const NestCandidate &candidate) { return times.of(candidate); };
  std::vector<NestCandidate> candidates;
  if (isWanted(options, NestKind::Stream))
    candidates = streamCandidates(form, options);
  if (isWanted(options, NestKind::Tile) && (options.family || tileIsWorthTrying(form)))
    for (const auto &build : {tileCandidates, rowCandidates})
      for (NestCandidate &candidate : build(form, options, judge))
        candidates.push_back(std::move(candidate));

  std::vector<NestCandidate> pipelines = pipelineCandidates(form, options, candidates, judge);
  std::move(pipelines.begin(), pipelines.end(), std::back_inserter(candidates));
  return candidates;
}

/// Returns the plan of a candidate with its paddings and its time; none if it does not fit with
/// them.
std::optional<NestPlan> finished(const DigitForm &form, const NestCandidate &candidate,
                                 const KernelOptions &options) {
  NestPlan plan = assemblePlan(form, candidate, options);
  padSegments(plan, options.target);
  setOccupancy(plan, options.target);
  if (!fitsTarget(plan, options.target))
    return std::nullopt;
  modelCost(plan, options.target, Paddings::Chosen); // bank conflicts are part of it
  return plan;
}
} // namespace

NestPlan buildTagPlan(const DigitForm &form, const KernelOptions &options) {
  NestPlan plan = assemblePlan(form, tagCandidate(form, options), options);
  for (Segment &segment : plan.segments)
    if (segment.placement == Placement::Shared)
      segment.conflictFree = isConflictFree(plan, segment, options.target);
  modelCost(plan, options.target, Paddings::Chosen);
  nameKernel(plan);
  return plan;
}

PlanOffers<NestPlan> nestPlans(const DigitForm &form, const KernelOptions &options,
                               const PlanWish &wish) {
  CandidateTimes times(form, options);
  const std::vector<NestCandidate> candidates = allCandidates(form, options, times);
  times.applyOverrides();
  std::vector<std::pair<double, size_t>> ranked;
  for (size_t i = 0; i < candidates.size(); ++i)
    if (const double time = times.of(candidates[i]); time < kNever)
      ranked.push_back({time, i});
  std::sort(ranked.begin(), ranked.end()); // ties: the earlier candidate

  PlanOffers<NestPlan> offers;
  double bestUs = wish.bestUs;
  // Because of conflicts, some candidates are slower than predicted. Some do not fit after padding.
  const auto mayWin = [&](size_t i) {
    return bestUs == kNever || i < kFinalists ||
           (i < kMostFinalists && ranked[i].first < bestUs &&
            questionPays(kFinalistUs, bestUs - ranked[i].first, options.expectedRuns));
  };
  // Kernels beside the best never change the best one, so it does not depend on `most`.
  size_t extraFinalists = wish.most > 1 ? kCandidateFinalists * wish.most : 0;
  std::unordered_set<std::string> finalists; // looked up, never walked
  for (size_t i = 0; i < ranked.size(); ++i) {
    const bool mayBeBest = mayWin(i);
    if (!mayBeBest && extraFinalists-- == 0)
      break;
    if (!finalists.insert(keyOf(candidates[ranked[i].second])).second)
      continue; // the same plan once more
    std::optional<NestPlan> plan = finished(form, candidates[ranked[i].second], options);
    if (!plan)
      continue;
    if (mayBeBest)
      bestUs = std::min(bestUs, plan->predictedUs);
    offers.plans.push_back(*std::move(plan));
    if (mayBeBest)
      offers.contenders = offers.plans.size();
  }
  MPF_CHECK(ranked.empty() || bestUs != kNever, "none of {} finalists fits {} once padded",
            ranked.size(), options.target.name);
  return offers;
}

void nameKernel(NestPlan &plan) {
  nameAfterText(plan, kindName(plan.kind), [](const NestPlan &shape) { return printNest(shape); });
}

} // namespace mpf
