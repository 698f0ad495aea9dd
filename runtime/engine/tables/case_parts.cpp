#include "runtime/engine/tables/case_parts.h"

#include "dsl/support/check.h"
#include "runtime/result/case_entries.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace mpf {

CaseParts::CaseParts(const Model &model, const CaseAnswers &layout, std::string axis,
                     uint32_t runCases)
    : axis_(std::move(axis)), runCases_(runCases), entries_(layout.tables.front().size) {
  std::iota(entries_.begin(), entries_.end(), 0);
  for (const CaseTable &table : layout.tables) {
    const auto found = std::ranges::find(model.variables, table.name, &Variable::name);
    const VarId id{static_cast<size_t>(found - model.variables.begin())};
    const bool isVariable = table.normalised && found != model.variables.end();
    observed_.push_back(isVariable ? model.evidence.state(id).value_or(0) : 0);
  }
}

bool CaseParts::isOfEachCase(const ResultTable &table) const {
  return !table.variables.empty() && table.variables.front() == axis_;
}

void CaseParts::take(const Result &result, std::span<const uint32_t> places,
                     CaseAnswers &answers) const {
  MPF_CHECK(!result.tables.empty() && isOfEachCase(result.tables.front()) &&
                places.size() <= runCases_,
            "{} tables of {} cases", result.tables.size(), places.size());
  for (size_t i = 0; i < places.size(); ++i)
    takeEntries(result.tables.front(), i * entries_.size(), entries_, 0, answers.tables.front(),
                places[i]);
  if (answers.tables.size() > 1)
    takePosteriors(result, places, answers);
  if (answers.variables > 0)
    takeStates(result, places, answers);
}

std::vector<int64_t> CaseParts::magnitudes(const Result &result, size_t count) const {
  const ResultTable &table = result.tables.front();
  std::vector<int64_t> found(count, INT64_MIN);
  for (size_t i = 0; i < count; ++i)
    for (size_t e = 0; e < entries_.size(); ++e)
      if (const ScaledNumber entry = table.at(i * entries_.size() + e); entry.mantissa != 0)
        found[i] = std::max(found[i], int64_t{entry.exponent} + std::ilogb(entry.mantissa));
  return found;
}

/// Posteriors are 0 for cases whose evidence is impossible. They are 0 for all cases if the run has
/// no posterior, because its sums of values of both signs cancel. A posterior that no case changes
/// occurs once in the result.
void CaseParts::takePosteriors(const Result &result, std::span<const uint32_t> places,
                               CaseAnswers &answers) const {
  size_t next = 1;
  for (size_t t = 1; t < answers.tables.size(); ++t) {
    CaseTable &table = answers.tables[t];
    const bool isThere = next < result.tables.size() && result.tables[next].name == table.name;
    const ResultTable *const from = isThere ? &result.tables[next++] : nullptr;
    const size_t stride = isThere && isOfEachCase(*from) ? table.size : 0;
    std::vector<size_t> all(table.size);
    std::iota(all.begin(), all.end(), 0);
    for (size_t i = 0; i < places.size(); ++i) {
      double *const entries = table.entries.data() + size_t{places[i]} * table.size;
      table.exponents[places[i]] = 0;
      const bool isPossible = answers.tables.front().at(places[i]).mantissa != 0 &&
                              (from == nullptr || !from->entries.empty());
      if (!isPossible || from == nullptr)
        std::fill_n(entries, table.size, 0);
      if (!isPossible)
        continue;
      if (from == nullptr)
        entries[observed_[t]] = 1;
      else if (!from->logEntries)
        std::copy_n(from->entries.data() + i * stride, table.size, entries);
      else
        takeEntries(*from, i * stride, all, 0, table, places[i]);
    }
  }
  MPF_CHECK(next == result.tables.size(), "{} of {} tables have a place", next,
            result.tables.size());
}

void CaseParts::takeStates(const Result &result, std::span<const uint32_t> places,
                           CaseAnswers &answers) const {
  for (size_t i = 0; i < places.size(); ++i) {
    uint32_t *const states = answers.states.data() + size_t{places[i]} * answers.variables;
    const bool isPossible = i < result.assignments.size() && !result.assignments[i].states.empty();
    if (isPossible)
      std::copy_n(result.assignments[i].states.begin(), answers.variables, states);
    else
      std::fill_n(states, answers.variables, CaseAnswers::kNoState);
  }
}

} // namespace mpf
