// Plans a job for each combination of shape, element type, value form and semiring.
#pragma once

#include "codegen/kernel/build/build_chain.h"
#include "tools/mpf-bench/measure/time_budget.h"
#include "tools/mpf-bench/shapes/bucket_job.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// The family that is predicted to be the fastest.
inline constexpr const char *kAnyFamily = "auto";

struct PlanBucketsOptions {
  Target target;
  std::vector<ElementType> types = {ElementType::F32, ElementType::F64};
  std::vector<ValueForm> forms = {ValueForm::Linear};
  std::vector<Semiring> semirings = {{}};
  /// kAnyFamily, a family of the planner ("stream", "tile", ...), or "ics08": paper_scheme.h.
  std::string family = kAnyFamily;
  std::optional<uint32_t> stages; ///< only kernels with this number of pages in flight
  size_t nextBest = 0;            ///< most plans in BucketJob::nextBest; chains have none
  /// Number of splits of sums, where it divides; 1: no split. Default: the cost model chooses, if
  /// neither `family` nor `stages` selects kernels.
  std::optional<uint64_t> splits;
  size_t orders = 1;  ///< layouts tried of shapes whose layouts are free
  ChainOptions chain; ///< overrides for chain shapes
  unsigned threads = 1;
};

/// Returns jobs ordered by type, then form, semiring and shape, so that jobs with equal contents of
/// memory follow one another. A bucket whose planning throws is Failed; one for which the budget
/// leaves no time is Skipped; the note has the reason. All others are Predicted. Log form is
/// combined only with semirings that multiply.
std::vector<BucketJob> planBuckets(const std::vector<BucketShape> &shapes,
                                   const PlanBucketsOptions &options, const TimeBudget &budget);

/// The values that `PlanBucketsOptions::family` may have.
std::vector<std::string> familyChoices();

} // namespace mpf::bench
