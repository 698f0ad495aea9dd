#include "tools/mpfc/cases/case_totals.h"

#include "dsl/support/check.h"
#include "dsl/support/vectors/vector_clones.h"
#include "tools/mpfc/cases/refused_cases.h"
#include "tools/mpfc/cases/row_format.h"

#include <algorithm>
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

/// Number of cases whose logarithms stay in a core's first cache until they are summed.
constexpr uint32_t kStripCases = 2048;

/// Sets to 0 the logarithms, of cases from `first` on, that do not belong to the sum. Counts zeros
/// and negative values. `skipped` is ascending.
void clearOthers(const CaseTable &table, uint32_t first, const std::vector<uint32_t> &skipped,
                 std::vector<double> &logarithms, BlockTotal &total) {
  auto next = std::ranges::lower_bound(skipped, first);
  for (uint32_t i = 0; i < logarithms.size(); ++i) {
    const bool isSkipped = next != skipped.end() && *next == first + i;
    next += isSkipped ? 1 : 0;
    const int sign = signOf(table, first + i);
    total.zeros += !isSkipped && sign == 0 ? 1 : 0;
    total.negative += !isSkipped && sign < 0 ? 1 : 0; // of factors with negative entries
    logarithms[i] = isSkipped || sign <= 0 ? 0 : logarithms[i];
  }
}

/// Does the same if no case is skipped: a loop of vector instructions without branches.
MPF_VECTOR_CLONES void clearOthers(const double *numbers, size_t count, double *logarithms,
                                   BlockTotal &total) {
  uint64_t positive = 0, negative = 0;
  for (size_t i = 0; i < count; ++i) {
    positive += numbers[i] > 0 ? 1 : 0;
    negative += numbers[i] < 0 ? 1 : 0;
    logarithms[i] = numbers[i] > 0 ? logarithms[i] : 0;
  }
  total.zeros += count - positive - negative;
  total.negative += negative;
}

/// Sums at most kStripCases cases of a block from `first` on, without those at the places `empty`.
void sumStrip(const CaseTable &table, uint32_t first, const std::vector<uint32_t> &empty,
              CaseJob &job, BlockTotal &total) {
  std::vector<double> &logarithms = job.logarithms;
  logarithms.resize(std::min(kStripCases, job.block.count - first));
  const auto count = static_cast<uint32_t>(logarithms.size());
  logarithmsOf(table, first, count, logarithms.data());
  if (table.size == 1 && table.farApart.empty() && empty.empty())
    clearOthers(table.entries.data() + first, count, logarithms.data(), total);
  else
    clearOthers(table, first, empty, logarithms, total);
  total.logarithms.add(logarithms.data(), count);
}

} // namespace

bool hasTotals(const std::vector<AnswerGroup> &columns) {
  return std::ranges::any_of(columns, isSummed);
}

namespace {

[[noreturn]] void failWithoutLogarithms() {
  fail(ErrorKind::Usage, "--totals sums logarithms: ask for evidence, marginals or best");
}

bool mayHaveTotals(const Query &query, std::optional<ElementType> type) {
  const QueryTraits &traits = traitsOf(query.kind);
  if (traits.isExpression())
    return std::ranges::any_of(query.reductions, [](const QueryReduction &reduction) {
      return reduction.reduce == Reduce::LogSum;
    });
  return !isIntegerType(elementTypeOf(query, type)) &&
         (traits.outputs == QueryOutputs::Posteriors || query.output.empty());
}

} // namespace

void requireTotals(const std::vector<Query> &queries, std::optional<ElementType> type) {
  if (std::ranges::none_of(queries, [&](const Query &query) { return mayHaveTotals(query, type); }))
    failWithoutLogarithms();
}

CaseTotals::CaseTotals(const std::vector<AnswerGroup> &columns) {
  for (const AnswerGroup &column : columns)
    if (isSummed(column))
      sums_.push_back({column});
  if (sums_.empty())
    failWithoutLogarithms();
}

void CaseTotals::sumBlock(CaseJob &job) const {
  job.totals.assign(sums_.size(), {});
  for (size_t s = 0; s < sums_.size(); ++s) {
    const AnswerGroup &column = sums_[s].column;
    const CaseTable &table = job.answers[column.query].tables[column.table];
    const std::vector<uint32_t> empty = unansweredCases(job, column.query);
    for (uint32_t first = 0; first < job.block.count; first += kStripCases)
      sumStrip(table, first, empty, job, job.totals[s]);
  }
}

void CaseTotals::add(const CaseJob &job) {
  MPF_CHECK(job.totals.size() == sums_.size(), "{} sums of a block, there are {}",
            job.totals.size(), sums_.size());
  cases_ += job.block.count;
  skipped_ += job.block.skipped.size();
  refused_ += job.refused.count;
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
  if (refused_ != 0)
    text += fmt::format("without an answer to some query: {}\n", refused_);
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
