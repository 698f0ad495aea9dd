#include "tools/mpfc/cases/answer_columns.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace mpf::driver {

namespace {

/// Variables by their names; only looked up.
using VariableNames = std::unordered_map<std::string_view, const Variable *>;

VariableNames namesOf(const Model &model) {
  VariableNames names;
  for (const Variable &variable : model.variables)
    names.emplace(variable.name, &variable);
  return names;
}

/// "a=0, b=yes" for every joint state of `axes`; one empty text for none.
std::vector<std::string> stateNames(const VariableNames &variables,
                                    std::span<const std::string> axes) {
  std::vector<std::string> names = {""};
  for (const std::string &variableName : axes) {
    const auto found = variables.find(variableName);
    MPF_CHECK(found != variables.end(), "answers about a variable '{}'", variableName);
    const Variable &variable = *found->second;
    std::vector<std::string> longer;
    for (const std::string &name : names)
      for (uint32_t state = 0; state < variable.extent; ++state)
        longer.push_back(
            fmt::format("{}{}{}={}", name, name.empty() ? "" : ", ", variable.name,
                        variable.labels.empty() ? std::to_string(state) : variable.labels[state]));
    names = std::move(longer);
  }
  return names;
}

/// "a=0, b=yes" for every entry, or "b=yes | a=0" where each state of a has a row.
std::vector<std::string> entryNames(const VariableNames &variables, const CaseTable &table) {
  const std::span<const std::string> axes = table.variables;
  std::vector<std::string> names;
  for (const std::string &row : stateNames(variables, axes.first(table.rowVariables)))
    for (const std::string &entry : stateNames(variables, axes.subspan(table.rowVariables)))
      names.push_back(row.empty() ? entry : fmt::format("{} | {}", entry, row));
  return names;
}

AnswerGroup columnsOf(const VariableNames &variables, const Query &query, const CaseTable &table) {
  AnswerGroup group;
  group.asked = query.joined.empty() ? query.name : table.name;
  const bool isExpression = traitsOf(query.kind).isExpression();
  if (table.logValues)
    group.content = AnswerContent::Logarithm;
  if (table.variables.empty()) {
    if (isExpression || table.isInteger) {
      group.names = {table.name};
      return group;
    }
    group.content = AnswerContent::Logarithm;
    group.names = {fmt::format("ln({})", table.name)};
    return group;
  }
  for (const std::string &entry : entryNames(variables, table))
    group.names.push_back(
        fmt::format("{}({})", isExpression ? std::string_view(query.name) : "P", entry));
  return group;
}

AnswerGroup statesOf(const Model &model) {
  AnswerGroup group;
  group.content = AnswerContent::States;
  for (const Variable &variable : std::span(model.variables).first(ownVariableCount(model))) {
    group.names.push_back(variable.name);
    group.labels.push_back(variable.labels);
  }
  return group;
}

/// The columns of all queries, each name once.
class AnswerTable {
public:
  AnswerTable(const std::vector<Query> &queries, const std::vector<AnswerGroup> &taken)
      : queries_(queries) {
    for (const AnswerGroup &group : taken)
      names_.insert(group.names.begin(), group.names.end());
  }

  void add(AnswerGroup group) {
    const auto [first, last] = byFirstName_.equal_range(group.names.front());
    if (std::any_of(first, last,
                    [&](const auto &other) { return saysTheSame(groups_[other.second], group); }))
      return;
    while (std::ranges::any_of(group.names, [&](auto &name) { return names_.contains(name); }))
      for (std::string &name : group.names)
        name = fmt::format("{}: {}", group.asked, name);
    names_.insert(group.names.begin(), group.names.end());
    byFirstName_.emplace(group.names.front(), groups_.size());
    groups_.push_back(std::move(group));
  }
  std::vector<AnswerGroup> take() { return std::move(groups_); }

private:
  /// Whether both columns have the same content. Equal names mean equal content unless the query is
  /// an expression, which says itself what it reduces, or has conditions of its own.
  bool saysTheSame(const AnswerGroup &a, const AnswerGroup &b) const {
    const Query &first = queries_[a.query], &second = queries_[b.query];
    const bool haveSameConditions = std::ranges::equal(
        first.given, second.given, [](const Observation &one, const Observation &other) {
          return one.variable == other.variable && one.state == other.state;
        });
    return haveSameConditions && !traitsOf(first.kind).isExpression() &&
           !traitsOf(second.kind).isExpression() && first.type == second.type &&
           a.content == b.content && a.names == b.names;
  }

  const std::vector<Query> &queries_;
  std::vector<AnswerGroup> groups_;
  std::unordered_multimap<std::string, size_t> byFirstName_; ///< numbers of groups; only looked up
  std::unordered_set<std::string> names_;                    ///< only looked up
};

} // namespace

std::vector<AnswerGroup> answerColumns(const Model &model, const std::vector<Query> &queries,
                                       const std::vector<CaseAnswers> &layouts,
                                       const std::vector<AnswerGroup> &taken,
                                       const std::vector<std::string> &order) {
  const VariableNames variables = namesOf(model);
  std::vector<AnswerGroup> groups;
  for (size_t query = 0; query < queries.size(); ++query) {
    const size_t first = queries[query].joined.empty() ? 0 : 1; // no joined query asks for evidence
    for (size_t table = first; table < layouts[query].tables.size(); ++table) {
      AnswerGroup group = columnsOf(variables, queries[query], layouts[query].tables[table]);
      group.query = query;
      group.table = table;
      groups.push_back(std::move(group));
    }
    if (layouts[query].variables == 0)
      continue;
    AnswerGroup states = statesOf(model);
    states.asked = queries[query].name;
    states.query = query;
    groups.push_back(std::move(states));
  }
  std::unordered_map<std::string_view, size_t> places; // only looked up
  for (const std::string &name : order)
    places.try_emplace(name, places.size());
  std::ranges::stable_sort(groups, {}, [&places](const AnswerGroup &group) {
    const auto place = places.find(group.asked);
    return place == places.end() ? SIZE_MAX : place->second;
  });
  AnswerTable columns(queries, taken);
  for (AnswerGroup &group : groups)
    columns.add(std::move(group));
  return columns.take();
}

std::vector<AnswerGroup> keptColumns(const CaseSchema &schema) {
  if (schema.kept.empty())
    return {};
  AnswerGroup group;
  group.content = AnswerContent::Kept;
  group.names = schema.kept;
  return {std::move(group)};
}

std::vector<AnswerGroup> sweptColumns(const CaseSchema &schema,
                                      const std::vector<SweptParam> &swept,
                                      const std::vector<AnswerGroup> &taken) {
  std::unordered_set<std::string> names; // only looked up
  for (const AnswerGroup &group : taken)
    names.insert(group.names.begin(), group.names.end());
  std::vector<AnswerGroup> groups;
  for (const SweptParam &param : swept) {
    const auto at = std::ranges::find(schema.params, param.name);
    MPF_CHECK(at != schema.params.end(), "the cases do not sweep {}", param.name);
    AnswerGroup &group = groups.emplace_back();
    group.content = AnswerContent::Param;
    group.table = static_cast<size_t>(at - schema.params.begin());
    std::string name = param.name;
    while (names.contains(name))
      name = "swept: " + name;
    group.names = {std::move(name)};
  }
  return groups;
}

size_t columnCount(const std::vector<AnswerGroup> &groups) {
  size_t count = 0;
  for (const AnswerGroup &group : groups)
    count += group.names.size();
  return count;
}

} // namespace mpf::driver
