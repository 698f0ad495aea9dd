#include "tools/mpfc/cases/answer_columns.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <fmt/format.h>

namespace mpf::driver {

namespace {

const Variable &variableNamed(const Model &model, const std::string &name) {
  const auto found = std::ranges::find(model.variables, name, &Variable::name);
  MPF_CHECK(found != model.variables.end(), "answers about a variable '{}'", name);
  return *found;
}

/// "a=0, b=yes" for every entry; one empty text for a number.
std::vector<std::string> entryNames(const Model &model, const CaseTable &table) {
  std::vector<std::string> names = {""};
  for (const std::string &variableName : table.variables) {
    const Variable &variable = variableNamed(model, variableName);
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

AnswerGroup columnsOf(const Model &model, const Query &query, const CaseTable &table) {
  AnswerGroup group;
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
  for (const std::string &entry : entryNames(model, table))
    group.names.push_back(
        fmt::format("{}({})", isExpression ? std::string_view(query.name) : "P", entry));
  return group;
}

AnswerGroup statesOf(const Model &model) {
  AnswerGroup group;
  group.content = AnswerContent::States;
  for (const Variable &variable : model.variables) {
    group.names.push_back(variable.name);
    group.labels.push_back(variable.labels);
  }
  return group;
}

} // namespace

std::vector<AnswerGroup> answerColumns(const Model &model, const std::vector<Query> &queries,
                                       const std::vector<CaseAnswers> &layouts) {
  std::vector<AnswerGroup> groups;
  for (size_t query = 0; query < queries.size(); ++query) {
    for (size_t table = 0; table < layouts[query].tables.size(); ++table) {
      groups.push_back(columnsOf(model, queries[query], layouts[query].tables[table]));
      groups.back().query = query;
      groups.back().table = table;
    }
    if (layouts[query].variables == 0)
      continue;
    groups.push_back(statesOf(model));
    groups.back().query = query;
  }
  return groups;
}

std::vector<AnswerGroup> sweptColumns(const CaseSchema &schema,
                                      const std::vector<SweptParam> &swept) {
  std::vector<AnswerGroup> groups;
  for (const SweptParam &param : swept) {
    const auto at = std::ranges::find(schema.params, param.name);
    MPF_CHECK(at != schema.params.end(), "the cases do not sweep {}", param.name);
    AnswerGroup &group = groups.emplace_back();
    group.content = AnswerContent::Param;
    group.table = static_cast<size_t>(at - schema.params.begin());
    group.names = {param.name};
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
