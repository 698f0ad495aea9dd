#include "tools/mpf-bench/measure/plan_buckets.h"

#include "codegen/kernel/build/choose_split_k.h"
#include "codegen/kernel/form/split_k_form.h"
#include "codegen/plan/program/split_k.h"
#include "dsl/support/check.h"
#include "dsl/support/merge_digits.h"
#include "tools/mpf-bench/shapes/paper_scheme.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <thread>

namespace mpf::bench {

namespace {

void planChain(BucketJob &job, const PlanBucketsOptions &options) {
  ChainOptions chainOptions = options.chain;
  chainOptions.target = options.target;
  chainOptions.type = job.type;
  chainOptions.valueForm = job.valueForm;
  job.family = ChainPlan::family;
  if (auto plan = buildChain(chainFormOf(job.shape, job.semiring), chainOptions))
    job.plan = std::move(*plan);
  else
    fail(ErrorKind::Usage, "no chain kernel with these overrides (tile, lines, threads)");
}

/// Plans the kernels of both steps of a split sum. The family and stages of `options` hold for the
/// first step only.
CutSum cutSum(const DigitForm &whole, uint64_t splits, const KernelOptions &options) {
  KernelOptions free = options;
  free.family.reset();
  free.stages.reset();
  const auto plan = [](DigitForm form, const KernelOptions &how) {
    mergeDigits(form);
    return buildKernel(form, how);
  };
  return {splits, plan(partialForm(whole, splits), options), plan(addingForm(whole, splits), free)};
}

void planCut(BucketJob &job, const PlanBucketsOptions &options, const KernelOptions &kernel) {
  const DigitForm whole = job.plan->operation();
  uint64_t splits = 1;
  if (options.splits)
    splits = splitsDivide(reducedExtents(whole), *options.splits) ? *options.splits : 1;
  else if (!kernel.family && !kernel.stages && maxSplits(whole) > 1)
    splits = chooseSplits(whole, kernel, [&](const DigitForm &form) {
               return buildKernel(form, kernel).header().predictedUs;
             }).splits;
  if (splits == 1)
    return;
  job.cut = cutSum(whole, splits, kernel);
  job.nextBest.clear(); // of the kernel for the whole
  job.family = job.cut->partial.family();
}

void planLaidOut(BucketJob &job, const PlanBucketsOptions &options) {
  if (job.shape.chain)
    return planChain(job, options);
  if (!job.shape.packed.empty() && options.target.warpThreads == 1)
    fail(ErrorKind::Usage, "a CPU keeps no table packed");
  KernelOptions kernelOptions;
  kernelOptions.target = options.target;
  kernelOptions.type = job.type;
  kernelOptions.valueForm = job.valueForm;
  kernelOptions.stages = options.stages;
  if (options.family == "ics08") {
    job.plan = buildPaperKernel(job.shape, job.semiring, kernelOptions);
    job.family = options.family;
    return;
  }
  if (options.family != kAnyFamily)
    kernelOptions.family = options.family;
  std::vector<KernelPlan> plans =
      buildKernels(digitFormOf(job.shape, job.semiring), kernelOptions, 1 + options.nextBest);
  job.plan = std::move(plans.front());
  job.nextBest.assign(std::make_move_iterator(plans.begin() + 1),
                      std::make_move_iterator(plans.end()));
  job.family = job.plan->family();
  planCut(job, options, kernelOptions);
}

/// Plans a job with the layout whose kernel is predicted to be the fastest. The scheme "ics08" has
/// one layout only.
void planOne(BucketJob &job, const PlanBucketsOptions &options) {
  const bool chooses = options.family != "ics08";
  std::optional<BucketJob> best;
  for (BucketShape &shape : laidOut(job.shape, chooses ? options.orders : 1)) {
    BucketJob laid = job;
    laid.shape = std::move(shape);
    planLaidOut(laid, options);
    if (!best || laid.predictedUs() < best->predictedUs())
      best = std::move(laid);
  }
  job = std::move(*best);
}

} // namespace

std::vector<std::string> familyChoices() {
  std::vector<std::string> names = {kAnyFamily, "ics08"};
  forEachFamily([&]<class Plan>(const KernelFamily<Plan> &family) {
    if constexpr (std::is_same_v<WorkOf<Plan>, DigitForm>)
      for (const std::string_view name : FamilyNames(family.names))
        names.emplace_back(name);
  });
  return names;
}

std::vector<BucketJob> planBuckets(const std::vector<BucketShape> &shapes,
                                   const PlanBucketsOptions &options, const TimeBudget &budget) {
  const std::vector<std::string> families = familyChoices();
  if (std::find(families.begin(), families.end(), options.family) == families.end())
    fail(ErrorKind::Usage, "no kernel family '{}'", options.family);
  std::vector<BucketJob> jobs;
  for (const ElementType type : options.types)
    for (const ValueForm form : options.forms)
      for (const Semiring semiring : options.semirings)
        if (form == ValueForm::Linear || semiring.combine == Combine::Times)
          for (const BucketShape &shape : shapes)
            if (shape.type.value_or(type) == type)
              jobs.push_back({shape, semiring, type, form, {}, {}, {}, {}, {}, {}, {}, {}});

  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < jobs.size(); i = next++) {
      if (budget.spent()) {
        jobs[i].result.outcome = Outcome::Skipped;
        jobs[i].result.note = "the time budget was spent before it was planned";
        continue;
      }
      try {
        planOne(jobs[i], options);
      } catch (const std::exception &problem) {
        jobs[i].result.outcome = Outcome::Failed;
        jobs[i].result.note = problem.what();
      }
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 1; i < options.threads; ++i)
    workers.emplace_back(work);
  work();
  for (std::thread &worker : workers)
    worker.join();
  return jobs;
}

} // namespace mpf::bench
