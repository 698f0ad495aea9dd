#include "tools/mpf-bench/measure/tune_buckets.h"

#include "runtime/execute/host/fastest_candidate.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <map>

namespace mpf::bench {

namespace {

BucketJob withPlan(const BucketJob &job, const KernelPlan &plan) {
  BucketJob other = job;
  other.nextBest.clear();
  other.plan = plan;
  other.family = job.cut ? job.family : plan.family();
  other.result = {};
  return other;
}

/// Chooses the plan of a bucket by the measured times of its candidates.
void chooseAmong(BucketJob &job, const std::vector<BucketJob> &measured) {
  std::vector<double> times;
  std::vector<size_t> numbers;
  for (size_t i = 0; i < measured.size(); ++i) {
    const BucketJob &candidate = measured[i];
    const KernelHeader &plan = candidate.plan->header();
    const auto *const nest = std::get_if<NestPlan>(&*candidate.plan);
    job.candidates.push_back({plan.name, candidate.family, plan.launch.blockThreads,
                              nest != nullptr ? nest->stages : 1, candidate.predictedUs(),
                              candidate.result.timeUs});
    const Outcome outcome = candidate.result.outcome;
    if (outcome == Outcome::Wrong || outcome == Outcome::Failed) {
      job = withPlan(job, *candidate.plan);
      job.result = candidate.result;
      return;
    }
    if (candidate.result.timeUs) {
      times.push_back(*candidate.result.timeUs);
      numbers.push_back(i);
    }
  }
  if (times.empty() || numbers.front() != 0) {
    job.result = measured.front().result; // skipped: the budget was spent
    return;
  }
  job = withPlan(job, *measured[numbers[fastestCandidate(times)]].plan);
}

} // namespace

std::vector<BucketJob> tuneBuckets(std::vector<BucketJob> jobs, const MeasureJobs &measure) {
  std::vector<BucketJob> first;
  for (const BucketJob &job : jobs) {
    if (job.result.outcome != Outcome::Predicted)
      continue;
    first.push_back(job.nextBest.empty() ? job : withPlan(job, *job.plan));
    for (const KernelPlan &other : job.nextBest)
      first.push_back(withPlan(job, other));
  }
  measure(first);
  std::vector<BucketJob> second; // chosen kernels, each followed by the model's choice
  auto next = first.begin();
  for (BucketJob &job : jobs) {
    if (job.result.outcome != Outcome::Predicted)
      continue;
    const auto end = next + 1 + static_cast<std::ptrdiff_t>(job.nextBest.size());
    const BucketJob modelChoice = *next;
    chooseAmong(job, {next, end});
    next = end;
    if (job.result.outcome != Outcome::Predicted)
      continue;
    second.push_back(job);
    if (job.plan->header().name != modelChoice.plan->header().name)
      second.push_back(withPlan(modelChoice, *modelChoice.plan));
  }
  measure(second);
  next = second.begin();
  for (BucketJob &job : jobs) {
    if (job.result.outcome != Outcome::Predicted)
      continue;
    job.result = next->result;
    job.modelChoiceUs = next->result.timeUs;
    if (job.plan->header().name != job.candidates.front().kernel)
      job.modelChoiceUs = (++next)->result.timeUs;
    ++next;
  }
  return jobs;
}

std::string tunedText(const std::vector<BucketJob> &jobs) {
  struct Group {
    size_t judged = 0, changed = 0;
    double logModel = 0, logTuned = 0, greatestGain = 1;
    std::string greatest;
  };
  std::map<std::string, Group> groups; // by name
  for (const BucketJob &job : jobs) {
    if (job.candidates.empty() || !job.modelChoiceUs || !job.result.timeUs)
      continue;
    Group &group = groups[job.groupName()];
    ++group.judged;
    group.changed += job.plan->header().name != job.candidates.front().kernel;
    group.logModel += std::log(job.plan->header().floorUs / *job.modelChoiceUs);
    group.logTuned += std::log(job.plan->header().floorUs / *job.result.timeUs);
    if (const double gain = *job.modelChoiceUs / *job.result.timeUs; gain > group.greatestGain) {
      group.greatestGain = gain;
      group.greatest = job.shape.name;
    }
  }
  std::string text;
  for (const auto &[name, group] : groups) {
    const auto count = static_cast<double>(group.judged);
    text += fmt::format("{}: tuned {} buckets: geometric mean of floor/time {:.3f} as the model "
                        "chooses, {:.3f} as measured; {} changed, at most {:.2f} times as fast "
                        "({})\n",
                        name, group.judged, std::exp(group.logModel / count),
                        std::exp(group.logTuned / count), group.changed, group.greatestGain,
                        group.greatest.empty() ? "none" : group.greatest);
  }
  return text;
}

} // namespace mpf::bench
