#include "tools/mpfc/cases/refused_cases.h"

#include "dsl/formats/cases/tables/case_diagnostic.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>

namespace mpf::driver {

namespace {

struct Refusal {
  const RefusedCase *of;
  size_t query;
};

Diagnostic describe(const CaseSource &source, const std::vector<Query> &queries,
                    const CaseBlock &block, const Refusal &refusal) {
  return describeCase(source, block.first + refusal.of->place, {},
                      fmt::format("query {}: {}", queries[refusal.query].name, refusal.of->why));
}

} // namespace

void settleRefused(const CaseSource &source, const std::vector<Query> &queries, OnBadRow onBadRow,
                   CaseJob &job) {
  std::map<uint32_t, Refusal> refused; // by place: what the first query says
  for (size_t query = 0; query < job.answers.size(); ++query)
    for (const RefusedCase &one : job.answers[query].refused)
      if (one.place < job.block.count) // a block without cases was not answered
        refused.emplace(one.place, Refusal{&one, query});
  if (refused.empty())
    return;
  if (onBadRow == OnBadRow::Stop) {
    const auto &[place, first] = *refused.begin();
    job.report.end = failureOf(first.of->kind, describe(source, queries, job.block, first));
    job.block.count = place;
    std::vector<uint32_t> &skipped = job.block.skipped;
    skipped.erase(std::ranges::lower_bound(skipped, place), skipped.end());
    return;
  }
  for (const auto &[place, refusal] : refused)
    job.refused.add(job.block.first + place, [&] {
      return renderDiagnostic(describe(source, queries, job.block, refusal));
    });
}

std::vector<uint32_t> unansweredCases(const CaseJob &job, size_t query) {
  std::vector<uint32_t> refused, all;
  if (query < job.answers.size())
    for (const RefusedCase &one : job.answers[query].refused)
      if (one.place < job.block.count) // else the list was cut in front of it
        refused.push_back(one.place);
  std::ranges::set_union(job.block.skipped, refused, std::back_inserter(all));
  return all;
}

} // namespace mpf::driver
