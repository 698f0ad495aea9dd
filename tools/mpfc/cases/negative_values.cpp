#include "tools/mpfc/cases/negative_values.h"

#include "tools/mpfc/cases/refused_cases.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>

namespace mpf::driver {

void NegativeValues::count(const std::vector<AnswerGroup> &columns, const CaseJob &job) {
  uint64_t found = 0;
  for (const AnswerGroup &group : columns) {
    if (group.content != AnswerContent::Logarithm)
      continue;
    // Entries of cases without an answer are undefined.
    const std::vector<uint32_t> empty = unansweredCases(job, group.query);
    const CaseTable &table = job.answers[group.query].tables[group.table];
    const bool isPlain = table.farApart.empty();
    for (uint32_t i = 0; i < job.block.count; ++i)
      for (size_t e = 0; e < table.size; ++e)
        found += (isPlain ? table.entries[i * table.size + e] < 0 : table.at(i, e).sign() < 0) &&
                 !std::ranges::binary_search(empty, i);
  }
  if (found != 0)
    values_ += found;
}

void NegativeValues::report() const {
  if (const uint64_t values = values_; values != 0)
    say("mpfc: note: {} below zero, of which there is no logarithm: no answer stands there, an "
        "expression (query z = sum() f) has the value itself\n",
        counted(values, "value is", "values are"));
}

} // namespace mpf::driver
