#include "tools/mpf-bench/report/summary.h"

#include "dsl/support/median.h"

#include <cmath>

namespace mpf::bench {

namespace {

GroupSummary summaryOf(std::vector<const BucketJob *> jobs, const Target &target) {
  GroupSummary summary;
  summary.name = jobs.front()->groupName();
  summary.jobs = jobs.size();
  double logSum = 0;
  size_t under = 0, byBytes = 0, spilling = 0;
  std::vector<double> errors;
  for (const BucketJob *job : jobs) {
    summary.wrong += job->result.outcome == Outcome::Wrong;
    summary.skipped += job->result.outcome == Outcome::Skipped;
    summary.failed += job->result.outcome == Outcome::Failed;
    const std::optional<double> fraction = job->fraction();
    if (!fraction)
      continue;
    ++summary.judged;
    logSum += std::log(*fraction);
    under += *fraction < 0.5;
    byBytes +=
        job->plan->header().floorUs <= job->compulsoryBytes() / target.copyBytesPerUs * 1.0001;
    spilling += job->result.spillBytes > 0;
    if (job->result.timeUs)
      errors.push_back(std::abs(job->predictedUs() / *job->result.timeUs - 1));
    summary.worst.push_back(job);
  }
  std::stable_sort(
      summary.worst.begin(), summary.worst.end(),
      [](const BucketJob *a, const BucketJob *b) { return *a->fraction() < *b->fraction(); });
  if (summary.worst.size() > 10)
    summary.worst.resize(10);
  if (summary.judged > 0) {
    const auto count = static_cast<double>(summary.judged);
    summary.meanFraction = std::exp(logSum / count);
    summary.leastFraction = *summary.worst.front()->fraction();
    summary.shareUnderHalf = static_cast<double>(under) / count;
    summary.shareByBytes = static_cast<double>(byBytes) / count;
    summary.spillShare = static_cast<double>(spilling) / count;
  }
  if (!errors.empty())
    summary.modelError = median(std::move(errors));
  return summary;
}

} // namespace

std::vector<GroupSummary> summarise(const std::vector<BucketJob> &jobs, const Target &target) {
  std::vector<std::vector<const BucketJob *>> groups;
  for (const BucketJob &job : jobs) {
    const std::string name = job.groupName();
    const auto at = std::find_if(groups.begin(), groups.end(), [&](const auto &group) {
      return group.front()->groupName() == name;
    });
    if (at == groups.end())
      groups.push_back({&job});
    else
      at->push_back(&job);
  }
  std::vector<GroupSummary> summaries;
  for (auto &group : groups)
    summaries.push_back(summaryOf(std::move(group), target));
  return summaries;
}

} // namespace mpf::bench
