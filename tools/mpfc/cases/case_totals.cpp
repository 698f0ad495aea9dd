#include "tools/mpfc/cases/case_totals.h"

#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "tools/mpfc/cases/row_format.h"

#include <algorithm>
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

int signOf(const CaseTable &table, uint64_t i) {
  if (!table.farApart.empty())
    return table.at(i).sign();
  const double value = table.entries[i * table.size];
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

/// Of a logarithm: the number is positive.
bool isFinite(double logarithm) { return std::isfinite(logarithm); }

} // namespace

CaseTotals::CaseTotals(const std::vector<AnswerGroup> &columns) {
  for (const AnswerGroup &column : columns)
    if (column.content == AnswerContent::Logarithm && column.names.size() == 1)
      sums_.push_back({column});
  if (sums_.empty())
    fail(ErrorKind::Usage, "--totals sums logarithms: ask for evidence, marginals or best");
}

void CaseTotals::takeTerms(CaseJob &job) const {
  job.terms.resize(sums_.size());
  for (size_t s = 0; s < sums_.size(); ++s) {
    const AnswerGroup &column = sums_[s].column;
    const CaseTable &table = job.answers[column.query].tables[column.table];
    TermsOfTotal &terms = job.terms[s];
    std::vector<double> &logarithms = terms.logarithms;
    terms.zeros = terms.negative = 0;
    logarithms.resize(job.block.count);
    logarithmsOf(table, 0, job.block.count, logarithms.data());
    if (job.block.skipped.empty() && std::ranges::all_of(logarithms, isFinite))
      continue;
    size_t kept = 0;
    auto skipped = job.block.skipped.begin();
    for (uint32_t i = 0; i < job.block.count; ++i) {
      if (skipped != job.block.skipped.end() && *skipped == i) {
        ++skipped;
        continue;
      }
      const int sign = signOf(table, i);
      if (sign == 0)
        ++terms.zeros;
      else if (sign < 0) // of factors with negative entries
        ++terms.negative;
      else
        logarithms[kept++] = logarithms[i];
    }
    logarithms.resize(kept);
  }
}

void CaseTotals::add(const CaseJob &job) {
  MPF_CHECK(job.terms.size() == sums_.size(), "terms of {} sums, there are {}", job.terms.size(),
            sums_.size());
  cases_ += job.block.count;
  skipped_ += job.block.skipped.size();
  for (size_t s = 0; s < sums_.size(); ++s) {
    Sum &sum = sums_[s];
    sum.zeros += job.terms[s].zeros;
    sum.negative += job.terms[s].negative;
    for (const double logarithm : job.terms[s].logarithms)
      addExactly(logarithm, sum.value, sum.rest);
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
