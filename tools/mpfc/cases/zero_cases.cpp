#include "tools/mpfc/cases/zero_cases.h"

#include "tools/mpfc/cases/bad_row_report.h"
#include "tools/mpfc/cases/refused_cases.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>

namespace mpf::driver {

ZeroCases::ZeroCases(const std::vector<AnswerGroup> &columns, const std::vector<Query> &queries) {
  for (const AnswerGroup &group : columns) {
    const bool isAssignment = group.content == AnswerContent::States;
    if (!isAssignment && group.content != AnswerContent::Entries)
      continue;
    if (queries[group.query].combine == Combine::Plus) // a sum of costs is no probability
      continue;
    // The last table of a query is a posterior if any is; the first may be its evidence.
    const auto known = std::ranges::find(asked_, group.query, &Asked::query);
    if (known == asked_.end())
      asked_.push_back({group.query, group.table, isAssignment});
    else if (!known->isAssignment)
      *known = {group.query, group.table, isAssignment};
  }
}

void ZeroCases::count(const CaseJob &job) {
  std::vector<char> isZero(job.block.count);
  for (const auto &[query, at, isAssignment] : asked_) {
    if (query >= job.answers.size())
      continue;
    const CaseAnswers &answers = job.answers[query];
    if (isAssignment) {
      for (size_t i = 0; i < isZero.size() && answers.variables != 0; ++i)
        if (answers.states[i * answers.variables] == CaseAnswers::kNoState)
          isZero[i] = 1;
      continue;
    }
    const CaseTable &table = answers.tables[at];
    for (size_t i = 0; i < isZero.size() && table.normalised; ++i) {
      const auto entries = table.entries.begin() + static_cast<ptrdiff_t>(i * table.size);
      if (std::all_of(entries, entries + static_cast<ptrdiff_t>(table.size),
                      [](double entry) { return entry == 0; }))
        isZero[i] = 1;
    }
  }
  // The entries of a case without an answer mean nothing.
  for (const auto &[query, at, isAssignment] : asked_)
    for (const uint32_t place : unansweredCases(job, query))
      isZero[place] = 0;
  if (const auto found = std::ranges::count(isZero, 1); found != 0)
    cases_ += static_cast<uint64_t>(found);
}

void ZeroCases::report(bool areSwept) const {
  if (const uint64_t cases = cases_; cases != 0)
    say("mpfc: note: {} with evidence of probability zero: posteriors and assignments are empty "
        "there; mpfc run --observe with the evidence of one such case names the findings that "
        "conflict\n",
        countedRows(cases, areSwept));
}

} // namespace mpf::driver
