#include "tools/mpfc/cases/refused_cases.h"

#include "dsl/support/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

/// The line of a text is not known any more: others have been read since.
std::string messageOf(const CaseSource &source, uint64_t number, const std::string &why) {
  const std::string what =
      source.hasPlaces() ? source.placeOf(number, {}).what : fmt::format("case {}", number + 1);
  return fmt::format("{}: {}: {}", source.name(), what, why);
}

} // namespace

void settleRefused(const CaseSource &source, OnBadRow onBadRow, CaseJob &job) {
  std::map<uint32_t, const RefusedCase *> refused; // by place: what the first query says
  for (const CaseAnswers &answers : job.answers)
    for (const RefusedCase &one : answers.refused)
      refused.emplace(one.place, &one);
  if (refused.empty())
    return;
  std::vector<uint32_t> &skipped = job.block.skipped;
  if (onBadRow == OnBadRow::Stop) {
    const auto &[place, first] = *refused.begin();
    job.report.end = std::make_exception_ptr(
        Error(first->kind, messageOf(source, job.block.first + place, first->why)));
    job.block.count = place;
    skipped.erase(std::ranges::lower_bound(skipped, place), skipped.end());
    return;
  }
  std::vector<uint32_t> all;
  for (const auto &each : refused) {
    const uint64_t number = job.block.first + each.first;
    job.refused.add(number, [&] {
      return fmt::format("mpfc: error: {}\n", messageOf(source, number, each.second->why));
    });
    all.push_back(each.first);
  }
  std::vector<uint32_t> both;
  std::ranges::set_union(skipped, all, std::back_inserter(both));
  skipped = std::move(both);
}

} // namespace mpf::driver
