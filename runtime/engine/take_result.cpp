#include "runtime/engine/take_result.h"

#include "dsl/support/check.h"
#include "runtime/engine/full_layout.h"
#include "runtime/result/case_entries.h"

#include <algorithm>
#include <optional>
#include <string>

namespace mpf {

namespace {

/// Returns the state of a variable that this case, every case or the query's condition observes.
uint32_t stateOf(const AskedCase &asked, const std::string &name, const CaseBlock &block,
                 uint32_t i) {
  const std::vector<Variable> &variables = asked.model.variables;
  const auto found = std::ranges::find(variables, name, &Variable::name);
  const VarId id{static_cast<size_t>(found - variables.begin())};
  if (const std::optional<uint32_t> state = asked.model.evidence.state(id))
    return *state;
  const auto given = std::ranges::find(asked.query.given, id, &Observation::variable);
  if (given != asked.query.given.end())
    return given->state;
  const std::vector<CaseVariable> &columns = asked.schema.observed;
  const auto column = std::ranges::find(columns, id, &CaseVariable::variable);
  MPF_CHECK(column != columns.end(), "no answer speaks of {}, and no case observes it", name);
  return block.code(static_cast<size_t>(column - columns.begin()), i);
}

} // namespace

void takeResult(const AskedCase &asked, const CaseBlock &block, uint32_t i, const Result &result,
                CaseAnswers &answers) {
  const double rest = valueOfOtherStates(asked.query);
  size_t next = 0;
  for (CaseTable &table : answers.tables) {
    static const ResultTable kCertain{.entries = {1.0}};
    // Variables that all cases observe have no posterior.
    const bool isThere = answers.tables.size() == 1 ||
                         (next < result.tables.size() && result.tables[next].name == table.name);
    const ResultTable &from = isThere ? result.tables[next++] : kCertain;
    const std::vector<size_t> places =
        placesIn(table, from.variables,
                 [&](const std::string &name) { return stateOf(asked, name, block, i); });
    if (table.normalised && result.zeroProbability)
      std::fill_n(table.entries.data() + size_t{i} * table.size, table.size, 0);
    else
      takeEntries(from, 0, places, rest, table, i);
  }
  MPF_CHECK(next == result.tables.size(), "{} of {} tables have a place", next,
            result.tables.size());
  uint32_t *const states = answers.states.data() + size_t{i} * answers.variables;
  if (result.assignments.empty())
    std::fill_n(states, answers.variables, CaseAnswers::kNoState);
  else
    std::copy_n(result.assignments.front().states.begin(), answers.variables, states);
}

} // namespace mpf
