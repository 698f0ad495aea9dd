#include "tools/mpfc/cases/case_totals.h"

#include "dsl/support/error.h"

#include <cmath>
#include <fmt/format.h>

namespace mpf::driver {

namespace {

/// A compensated sum: that of a thousand million terms keeps its digits.
void addExactly(double term, double &sum, double &rest) {
  const double next = sum + term;
  rest += std::abs(sum) >= std::abs(term) ? (sum - next) + term : (term - next) + sum;
  sum = next;
}

} // namespace

CaseTotals::CaseTotals(const std::vector<AnswerGroup> &columns) {
  for (const AnswerGroup &column : columns)
    if (column.content == AnswerContent::Logarithm && column.names.size() == 1)
      sums_.push_back({column});
  if (sums_.empty())
    fail(ErrorKind::Usage, "--totals sums logarithms: ask for evidence, marginals or best");
}

void CaseTotals::add(const CaseJob &job) {
  cases_ += job.block.count;
  skipped_ += job.block.skipped.size();
  for (Sum &sum : sums_) {
    const CaseTable &table = job.answers[sum.column.query].tables[sum.column.table];
    auto skipped = job.block.skipped.begin();
    for (uint32_t i = 0; i < job.block.count; ++i) {
      if (skipped != job.block.skipped.end() && *skipped == i) {
        ++skipped;
        continue;
      }
      const ScaledNumber number = table.at(i);
      if (number.sign() == 0)
        ++sum.zeros;
      else if (number.sign() < 0) // of factors with negative entries
        ++sum.negative;
      else
        addExactly(number.ln(), sum.value, sum.rest);
    }
  }
}

std::string CaseTotals::text() const {
  std::string text = fmt::format("cases: {}\n", cases_);
  if (skipped_ != 0)
    text += fmt::format("skipped: {}\n", skipped_);
  for (const Sum &sum : sums_) {
    text += fmt::format("sum of {}: {}\ncases of probability zero: {}\n", sum.column.names.front(),
                        sum.value + sum.rest, sum.zeros);
    if (sum.negative != 0)
      text += fmt::format("cases of a negative value, which has no logarithm: {}\n", sum.negative);
  }
  return text;
}

} // namespace mpf::driver
