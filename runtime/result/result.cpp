#include "runtime/result/result.h"

#include "dsl/support/cases/state_label.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace mpf {

namespace {

size_t placeOf(const Result &result, std::string_view variable) {
  const auto found = std::ranges::find(result.variables, variable, &ResultVariable::name);
  if (found == result.variables.end())
    fail(ErrorKind::Usage, "query {}: there is no variable {}", result.query, variable);
  return static_cast<size_t>(found - result.variables.begin());
}

uint32_t stateCalledIn(const Result &result, const NamedState &named) {
  const ResultVariable &variable = result.variables[placeOf(result, named.variable)];
  return requireState(named.variable, variable.labels, variable.extent, named.label);
}

const ResultTable *find(const Result &result, std::span<const std::string_view> names) {
  for (const ResultTable &table : result.tables)
    if (std::ranges::is_permutation(table.variables, names))
      return &table;
  return nullptr;
}

} // namespace

ScaledNumber ResultTable::at(size_t i) const {
  if (!logEntries)
    return ScaledNumber::fromValue(entries[i], exponent);
  return ScaledNumber::fromLog2(entries[i], exponent, signs.empty() ? 1 : signs[i]);
}

size_t ResultTable::rowElems() const {
  size_t elems = 1;
  for (size_t axis = rowVariables; axis < extents.size(); ++axis)
    elems *= extents[axis];
  return elems;
}

bool ResultTable::isUndefined(size_t i) const {
  return !undefinedRows.empty() && undefinedRows[i / rowElems()] != 0;
}

ScaledNumber Result::number() const { return table({}).at(0); }

const ResultTable &Result::table(std::span<const std::string_view> names) const {
  const ResultTable *const found = find(*this, names);
  if (found != nullptr && !found->entries.empty())
    return *found;
  std::string list;
  for (const std::string_view name : names)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
  if (found != nullptr)
    fail(ErrorKind::Usage, "query {}: the evidence has probability zero: ({}) has no posterior",
         query, list);
  fail(ErrorKind::Usage, "query {} has no table of ({})", query, list);
}

ScaledNumber Result::at(std::string_view variable, std::string_view label) const {
  return at({{variable, label}});
}

ScaledNumber Result::at(const std::vector<NamedState> &states) const {
  std::vector<std::string_view> names;
  for (const NamedState &named : states)
    names.push_back(named.variable);
  if (names.size() == 1 && find(*this, names) == nullptr) {
    const VarId id(placeOf(*this, names.front()));
    if (const auto observed = evidence.state(id); observed && !zeroProbability)
      return ScaledNumber::fromValue(*observed == stateCalledIn(*this, states.front()) ? 1 : 0);
  }
  const ResultTable &answer = table(names);
  size_t entry = 0;
  for (size_t axis = 0; axis < answer.variables.size(); ++axis) {
    const auto named =
        std::ranges::find(states, std::string_view(answer.variables[axis]), &NamedState::variable);
    entry = entry * answer.extents[axis] + stateCalledIn(*this, *named);
  }
  if (answer.isUndefined(entry))
    fail(ErrorKind::Usage, "query {}: a condition has probability zero: there is no posterior",
         query);
  return answer.at(entry);
}

std::string Result::stateOf(std::string_view variable, size_t assignment) const {
  const size_t place = placeOf(*this, variable);
  if (assignment >= assignments.size() || assignments[assignment].states.empty())
    fail(ErrorKind::Usage, "query {} has no assignment {}", query, assignment);
  const uint32_t state = assignments[assignment].states[place];
  const ResultVariable &known = variables[place];
  return known.labels.empty() ? std::to_string(state) : known.labels[state];
}

} // namespace mpf
