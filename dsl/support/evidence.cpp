#include "dsl/support/evidence.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/format_id.h"

#include <algorithm>
#include <numeric>

namespace mpf {

std::span<const uint32_t> Evidence::statesOf(uint64_t number) const {
  MPF_CHECK(number < caseCount && states.size() == caseCount * findings.size(),
            "case {} of {}, {} states of {} findings", number, caseCount, states.size(),
            findings.size());
  return std::span(states).subspan(number * findings.size(), findings.size());
}

std::vector<Observation> Evidence::observations(uint64_t number) const {
  const std::span<const uint32_t> row = statesOf(number);
  std::vector<Observation> list;
  for (size_t column = 0; column < row.size(); ++column)
    if (row[column] != kNotObserved)
      list.push_back({findings[column].variable, row[column]});
  return list;
}

size_t Evidence::columnOf(VarId variable) const {
  size_t first = 0, last = findings.size();
  while (first < last)
    if (const size_t middle = (first + last) / 2; findings[middle].variable < variable)
      first = middle + 1;
    else
      last = middle;
  return first < findings.size() && findings[first].variable == variable ? first : findings.size();
}

const Finding *Evidence::find(VarId variable) const {
  const size_t column = columnOf(variable);
  return column < findings.size() ? &findings[column] : nullptr;
}

std::optional<uint32_t> Evidence::state(VarId variable, uint64_t number) const {
  const size_t column = columnOf(variable);
  if (column == findings.size())
    return std::nullopt;
  const uint32_t known = statesOf(number)[column];
  return known == kNotObserved ? std::nullopt : std::optional(known);
}

bool Evidence::isLikelihood(FactorId factor) const {
  return std::ranges::binary_search(likelihoods, factor);
}

uint64_t Evidence::entriesWith(size_t moreFindings) const {
  return saturatingMul(caseCount, findings.size() + moreFindings);
}

void Evidence::add(std::vector<Observation> observations) {
  if (observations.empty())
    return;
  std::ranges::sort(observations, {}, &Observation::variable);
  std::vector<Finding> merged;
  std::vector<size_t> column; // by merged finding: its old column, or their number + observation
  size_t old = 0;
  for (size_t added = 0; old < findings.size() || added < observations.size();) {
    const bool takesOld =
        added == observations.size() ||
        (old < findings.size() && findings[old].variable < observations[added].variable);
    column.push_back(takesOld ? old : findings.size() + added);
    merged.push_back(takesOld ? findings[old++] : Finding{observations[added++].variable, false});
    MPF_CHECK(merged.size() < 2 || merged[merged.size() - 2].variable < merged.back().variable,
              "variable {} is observed twice", merged.back().variable);
  }
  std::vector<uint32_t> wider;
  wider.reserve(caseCount * merged.size());
  for (uint64_t number = 0; number < caseCount; ++number)
    for (const size_t from : column)
      wider.push_back(from < findings.size() ? statesOf(number)[from]
                                             : observations[from - findings.size()].state);
  findings = std::move(merged);
  states = std::move(wider);
}

void Evidence::setState(VarId variable, uint32_t state, uint64_t number) {
  const size_t column = columnOf(variable);
  MPF_CHECK(column < findings.size() && number < caseCount, "no finding of variable {} in case {}",
            variable, number);
  states[number * findings.size() + column] = state;
}

Evidence listedEvidence(const std::vector<VarId> &columns, const std::vector<uint32_t> &states,
                        uint64_t caseCount) {
  MPF_CHECK(states.size() == caseCount * columns.size(), "{} states of {} columns in {} cases",
            states.size(), columns.size(), caseCount);
  std::vector<size_t> sorted(columns.size()); // by finding: its column
  std::iota(sorted.begin(), sorted.end(), size_t{0});
  std::ranges::sort(sorted, {}, [&columns](size_t column) { return columns[column]; });
  Evidence evidence;
  evidence.listed = true;
  evidence.caseCount = caseCount;
  for (const size_t column : sorted)
    evidence.findings.push_back({columns[column], false});
  evidence.states.reserve(states.size());
  for (size_t row = 0; row < states.size(); row += columns.size())
    for (const size_t column : sorted)
      evidence.states.push_back(states[row + column]);
  return evidence;
}

std::string findEvidenceFault(const Evidence &evidence,
                              std::span<const EvidenceVariable> variables) {
  const std::vector<Finding> &findings = evidence.findings;
  for (size_t i = 0; i < findings.size(); ++i) {
    const VarId id = findings[i].variable;
    if (id.index() >= variables.size())
      return fmt::format("evidence for variable {} of {}", id, variables.size());
    if (i > 0 && !(findings[i - 1].variable < id))
      return fmt::format("evidence for variable '{}' is out of order", variables[id.index()].name);
  }
  if (!evidence.listed && evidence.caseCount != 1)
    return fmt::format("{} cases, but no list of cases", evidence.caseCount);
  if (evidence.states.size() != saturatingMul(evidence.caseCount, findings.size()))
    return fmt::format("{} states of {} observed variables in {} cases", evidence.states.size(),
                       findings.size(), evidence.caseCount);
  for (size_t i = 0; i < evidence.states.size(); ++i) {
    const uint32_t state = evidence.states[i];
    const auto &[name, extent] = variables[findings[i % findings.size()].variable.index()];
    if (state >= extent && !(evidence.listed && state == Evidence::kNotObserved))
      return fmt::format("{}variable '{}' is observed in state {}, it has {} states",
                         evidence.listed ? fmt::format("case {}: ", i / findings.size()) : "", name,
                         state, extent);
  }
  return {};
}

std::vector<uint32_t> statesByVariable(const Evidence &evidence, size_t count, uint64_t number) {
  std::vector<uint32_t> states(count, 0);
  for (const Observation &seen : evidence.observations(number))
    states[seen.variable.index()] = seen.state;
  return states;
}

} // namespace mpf
