#include "codegen/kernel/build/build_kernel.h"

#include "codegen/kernel/build/assemble_plan.h"
#include "codegen/kernel/build/build_matrix.h"
#include "codegen/kernel/build/candidates.h"
#include "codegen/kernel/build/conflict_free_strides.h"
#include "codegen/kernel/build/diversify_candidates.h"
#include "codegen/kernel/build/higher_occupancy_variant.h"
#include "codegen/kernel/cost/cost_model.h"
#include "codegen/kernel/cost/occupancy.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/plan/bank_conflicts.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace mpf {

namespace {
constexpr size_t kFinalists = 6;          ///< candidates whose paddings are searched,
constexpr size_t kMostFinalists = 48;     ///< and so many while one was ranked before the best plan
constexpr size_t kCandidateFinalists = 4; ///< and so many more for each kernel beside the best

struct Ranked {
  double timeUs = 0;
  Candidate candidate;
};

/// Everything that sets candidates for one form apart: builders come upon the same one on many
/// ways.
std::string keyOf(const Candidate &candidate) {
  std::string key;
  const auto add = [&key](uint64_t number) {
    key.append(reinterpret_cast<const char *>(&number), sizeof number);
  };
  add(static_cast<uint64_t>(candidate.family));
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

/// Overrides keep candidates that match; everything else follows from them.
bool matchesOverrides(const KernelPlan &plan, const KernelOptions &options) {
  return (!options.blockThreads || plan.launch.blockThreads == *options.blockThreads) &&
         (!options.sumChunk || roleExtent(plan, AxisRole::Sum) == *options.sumChunk) &&
         (!options.registerOutputs ||
          roleExtent(plan, AxisRole::Register) == *options.registerOutputs) &&
         (!options.stages || plan.stages == *options.stages);
}

/// Short sums and plain products need no tile: nothing is read twice.
bool tileIsWorthTrying(const DigitForm &form) {
  return form.keptAddresses() > 1 && form.reducedAddresses() > 1;
}

/// Pages can be in flight, and what was to be copied ahead had room in shared memory.
bool pipelineStands(const KernelPlan &plan, const Candidate &candidate) {
  if (plan.stages == 1)
    return true;
  for (size_t i = 0; i < plan.segments.size(); ++i)
    if (candidate.placements[i] == Placement::Shared &&
        plan.segments[i].placement == Placement::Bypass)
      return false;
  return copiesSuffice(plan);
}

KernelPlan finishTagPlan(const DigitForm &form, const KernelOptions &options) {
  KernelPlan plan = assemblePlan(form, tagCandidate(form, options), options);
  for (Segment &segment : plan.segments)
    if (segment.placement == Placement::Shared)
      segment.conflictFree = isConflictFree(plan, segment, options.target);
  modelCost(plan, options.target, Paddings::Chosen);
  nameKernel(plan);
  return plan;
}
} // namespace

// Terms outside a reduced digit's extent take part as the identity. No whole number is above every
// product, as infinity is: a minimum would take the wrapped one.
ValueForm valueFormOf(Semiring semiring, ValueForm asked) {
  if (semiring.reduce == Reduce::LogSum)
    return ValueForm::Log;
  return semiring.combine == Combine::Plus ? ValueForm::Linear : asked;
}

bool servesType(const DigitForm &form, ElementType type) {
  const bool whole = isIntegerType(type);
  return (!whole || form.semiring.reduce != Reduce::Min) &&
         (!form.readsPacked() || storesZero(form.semiring, whole));
}

KernelPlan buildKernel(const DigitForm &form, const KernelOptions &options) {
  return std::move(buildKernels(form, options, 1).front());
}

std::vector<KernelPlan> buildKernels(const DigitForm &form, const KernelOptions &asked,
                                     size_t most) {
  KernelOptions options = asked;
  options.valueForm = valueFormOf(form.semiring, asked.valueForm);
  const std::string fault = findFault(form);
  MPF_CHECK(fault.empty(), "{}", fault);
  if (!servesType(form, options.type))
    fail(ErrorKind::Unsupported, "{} in {} have no kernels of their own",
         form.semiring.reduce == Reduce::Min ? "minima" : "sums of packed tables",
         elementTypeName(options.type));
  if (options.tagDigits)
    return {finishTagPlan(form, options)};

  constexpr double kNever = std::numeric_limits<double>::infinity();
  bool overridden = false; // builders look for good tiles whatever the block is to be
  const auto judgeAnew = [&](const Candidate &candidate) {
    KernelPlan plan = assemblePlan(form, candidate, options);
    if (!fitsTarget(plan, options.target) || !pipelineStands(plan, candidate) ||
        (overridden ? !matchesOverrides(plan, options)
                    : options.registerOutputs &&
                          roleExtent(plan, AxisRole::Register) != *options.registerOutputs))
      return kNever;
    modelCost(plan, options.target, Paddings::ToCome);
    return plan.predictedUs;
  };
  std::unordered_map<std::string, double> judged; // looked up, never walked
  const Judge judge = [&](const Candidate &candidate) {
    const auto [known, isNew] = judged.try_emplace(keyOf(candidate), kNever);
    if (isNew)
      known->second = judgeAnew(candidate);
    return known->second;
  };
  std::vector<Candidate> candidates;
  if (!options.family || options.family == Family::Stream)
    candidates = streamCandidates(form, options);
  if (options.family == Family::Tile || (!options.family && tileIsWorthTrying(form)))
    for (const auto &build : {tileCandidates, rowCandidates})
      for (Candidate &candidate : build(form, options, judge))
        candidates.push_back(std::move(candidate));

  std::vector<Candidate> pipelines = pipelineCandidates(form, options, candidates, judge);
  std::move(pipelines.begin(), pipelines.end(), std::back_inserter(candidates));

  overridden = true;
  if (hasOverrides(options))
    judged.clear();
  std::vector<std::pair<double, size_t>> ranked;
  for (size_t i = 0; i < candidates.size(); ++i)
    if (const double time = judge(candidates[i]); time < kNever)
      ranked.push_back({time, i});
  std::vector<KernelPlan> plans;
  size_t best = 0; // into plans, unless there are none
  const auto add = [&](KernelPlan plan, bool mayBeBest) {
    if (mayBeBest && !plans.empty() && plan.predictedUs < plans[best].predictedUs)
      best = plans.size();
    plans.push_back(std::move(plan));
  };
  if (!options.family || options.family == Family::Mma)
    for (KernelPlan &plan : matrixPlans(form, options))
      add(std::move(plan), true);
  if (ranked.empty() && plans.empty())
    fail(ErrorKind::Usage,
         "no kernel with these overrides (family, threads, chunk, outputs, stages)");
  std::sort(ranked.begin(), ranked.end()); // ties: the earlier candidate

  // Conflicts make some slower than they were ranked, and some do not fit once padded.
  const auto mayWin = [&](size_t i) {
    return plans.empty() || i < kFinalists ||
           (i < kMostFinalists && ranked[i].first < plans[best].predictedUs);
  };
  // Kernels beside the best do not change which one that is: it is the same for any `most`.
  size_t extraFinalists = most > 1 ? kCandidateFinalists * most : 0;
  std::unordered_set<std::string> finalists; // looked up, never walked
  for (size_t i = 0; i < ranked.size(); ++i) {
    const bool mayBeBest = mayWin(i);
    if (!mayBeBest && extraFinalists-- == 0)
      break;
    if (!finalists.insert(keyOf(candidates[ranked[i].second])).second)
      continue; // the same plan once more
    KernelPlan plan = assemblePlan(form, candidates[ranked[i].second], options);
    padSegments(plan, options.target);
    setOccupancy(plan, options.target);
    if (!fitsTarget(plan, options.target))
      continue;
    modelCost(plan, options.target, Paddings::Chosen); // bank conflicts are part of it
    add(std::move(plan), mayBeBest);
  }
  MPF_CHECK(!plans.empty(), "none of {} finalists fits {} once padded", ranked.size(),
            options.target.name);
  const auto kindOf = [](const KernelPlan &plan) {
    const MatrixPlan matrix = plan.matrix.value_or(MatrixPlan());
    return std::tuple(plan.family, plan.launch.blockThreads, matrix.persistent,
                      matrix.doubleBufferedFragments, matrix.rows.stationary,
                      matrix.columns.stationary);
  };
  std::vector<KernelPlan> offered =
      diversifyCandidates(std::move(plans), best, most, kindOf, nameKernel);
  if (std::optional<KernelPlan> variant = higherOccupancyVariant(offered.front(), options.target)) {
    const bool first =
        mostlyGainsByOccupancy(*variant) && variant->predictedUs < offered.front().predictedUs;
    offered.insert(offered.begin() + (first ? 0 : 1), std::move(*variant));
    offered.resize(std::min(offered.size(), most));
  }
  return offered;
}

KernelPlan buildKernel(const TableProgram &program, OpId operation, const KernelOptions &options) {
  return buildKernel(buildDigitForm(program, operation, options.mergeDigits), options);
}

} // namespace mpf
