#include "tools/mpfc/cases/case_totals.h"

#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "tools/mpfc/cases/row_format.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace mpf::driver {

namespace {

bool isSummed(const AnswerGroup &column) {
  return column.content == AnswerContent::Logarithm && column.names.size() == 1;
}

int signOf(const CaseTable &table, uint64_t i) {
  if (!table.farApart.empty())
    return table.at(i).sign();
  const double value = table.entries[i * table.size];
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

/// Of a logarithm: the number is positive.
bool isFinite(double logarithm) { return std::isfinite(logarithm); }

/// Logarithms of so many cases stay in a core's first cache until they are summed.
constexpr uint32_t kStripCases = 2048;

/// Moves the logarithms of cases from `first` on that a sum takes to the front, and counts those of
/// the other cases. Gives how many they are. `skipped`: ascending.
size_t keepFinite(const CaseTable &table, uint32_t first, const std::vector<uint32_t> &skipped,
                  std::vector<double> &logarithms, BlockTotal &total) {
  size_t kept = 0;
  auto next = std::ranges::lower_bound(skipped, first);
  for (uint32_t i = 0; i < logarithms.size(); ++i) {
    if (next != skipped.end() && *next == first + i) {
      ++next;
      continue;
    }
    const int sign = signOf(table, first + i);
    if (sign == 0)
      ++total.zeros;
    else if (sign < 0) // of factors with negative entries
      ++total.negative;
    else
      logarithms[kept++] = logarithms[i];
  }
  return kept;
}

/// Cases of a block from `first` on, a strip at most.
void sumStrip(const CaseTable &table, uint32_t first, CaseJob &job, BlockTotal &total) {
  std::vector<double> &logarithms = job.logarithms;
  logarithms.resize(std::min(kStripCases, job.block.count - first));
  const auto count = static_cast<uint32_t>(logarithms.size());
  logarithmsOf(table, first, count, logarithms.data());
  const size_t kept = job.block.skipped.empty() && std::ranges::all_of(logarithms, isFinite)
                          ? count
                          : keepFinite(table, first, job.block.skipped, logarithms, total);
  total.logarithms.add(logarithms.data(), kept);
}

} // namespace

bool hasTotals(const std::vector<AnswerGroup> &columns) {
  return std::ranges::any_of(columns, isSummed);
}

CaseTotals::CaseTotals(const std::vector<AnswerGroup> &columns) {
  for (const AnswerGroup &column : columns)
    if (isSummed(column))
      sums_.push_back({column});
  if (sums_.empty())
    fail(ErrorKind::Usage, "--totals sums logarithms: ask for evidence, marginals or best");
}

void CaseTotals::sumBlock(CaseJob &job) const {
  job.totals.assign(sums_.size(), {});
  for (size_t s = 0; s < sums_.size(); ++s) {
    const AnswerGroup &column = sums_[s].column;
    const CaseTable &table = job.answers[column.query].tables[column.table];
    for (uint32_t first = 0; first < job.block.count; first += kStripCases)
      sumStrip(table, first, job, job.totals[s]);
  }
}

void CaseTotals::add(const CaseJob &job) {
  MPF_CHECK(job.totals.size() == sums_.size(), "{} sums of a block, there are {}",
            job.totals.size(), sums_.size());
  cases_ += job.block.count;
  skipped_ += job.block.skipped.size();
  for (size_t s = 0; s < sums_.size(); ++s) {
    BlockTotal &total = sums_[s].total;
    total.zeros += job.totals[s].zeros;
    total.negative += job.totals[s].negative;
    total.logarithms.add(job.totals[s].logarithms);
  }
}

std::string CaseTotals::text() const {
  std::string text = fmt::format("cases: {}\n", cases_);
  if (skipped_ != 0)
    text += fmt::format("skipped: {}\n", skipped_);
  for (const Sum &sum : sums_) {
    text += fmt::format("sum of {}: {}\ncases of probability zero: {}\n", sum.column.names.front(),
                        sum.total.logarithms.value(), sum.total.zeros);
    if (sum.total.negative != 0)
      text += fmt::format("cases of a negative value, which has no logarithm: {}\n",
                          sum.total.negative);
  }
  return text;
}

} // namespace mpf::driver
