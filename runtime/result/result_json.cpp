#include "runtime/result/result_json.h"

#include "dsl/support/json_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>

namespace mpf {

namespace {

using Json = JsonText;

Json scaledJson(const ScaledNumber &scaled) {
  Json out{{"sign", scaled.sign()}, {"log10", scaled.log10()}, {"ln", scaled.ln()}};
  if (const std::optional<double> plain = scaled.value())
    out["value"] = *plain;
  return out;
}

/// Returns a count as text: most readers of JSON keep 53 bits of a number.
Json integerJson(Uint128 count) { return fmt::format("{}", count); }

/// The variables of a result by their names, which are unique.
using VariablesByName = std::unordered_map<std::string_view, const ResultVariable *>;

VariablesByName variablesOf(const Result &result) {
  VariablesByName variables; // looked up, never walked
  for (const ResultVariable &variable : result.variables)
    variables.emplace(variable.name, &variable);
  return variables;
}

/// Returns a list of labels for each variable of the table; null for one with numbered states.
Json labelsJson(const ResultTable &table, const VariablesByName &variables) {
  Json out = Json::array();
  for (const std::string &name : table.variables) {
    const auto found = variables.find(name);
    const bool hasLabels = found != variables.end() && !found->second->labels.empty();
    out.push_back(hasLabels ? Json(found->second->labels) : Json(nullptr));
  }
  return out;
}

Json tableJson(const ResultTable &table, const VariablesByName &variables) {
  Json out{{"name", table.name},
           {"variables", table.variables},
           {"extents", table.extents},
           {"labels", labelsJson(table, variables)},
           {"normalised", table.normalised}};
  if (table.entries.empty())
    return out;
  if (table.variables.empty()) {
    out["number"] = scaledJson(table.at(0));
    if (table.logValues)
      out["value"] = table.at(0).ln();
    if (!table.integerEntries.empty())
      out["count"] = integerJson(table.integerEntries[0]);
    return out;
  }
  if (!table.integerEntries.empty()) {
    out["counts"] = Json::array();
    for (const Uint128 count : table.integerEntries)
      out["counts"].push_back(integerJson(count));
  }
  bool fits = true, negative = false;
  for (size_t i = 0; i < table.entries.size(); ++i) {
    fits &= table.isUndefined(i) || table.at(i).value().has_value();
    negative |= table.at(i).sign() < 0;
  }
  Json list = Json::array();
  for (size_t i = 0; i < table.entries.size(); ++i) {
    const ScaledNumber entry = table.at(i);
    if (table.isUndefined(i))
      list.push_back(nullptr);
    else
      list.push_back(table.logValues ? entry.ln() : fits ? *entry.value() : entry.log10());
  }
  out[table.logValues || fits ? "values" : "log10_values"] = std::move(list);
  if (negative && (!fits || table.logValues)) {
    Json signs = Json::array();
    for (size_t i = 0; i < table.entries.size(); ++i)
      signs.push_back(table.at(i).sign());
    out["signs"] = std::move(signs);
  }
  return out;
}

/// Adds a state to the object `states`, whose keys are names of variables.
void addState(Json &states, const ResultVariable &variable, uint32_t state) {
  states.add(variable.name, variable.labels.empty() ? Json(state) : Json(variable.labels[state]));
}

Json statesJson(const Result &result, const ResultAssignment &assignment) {
  if (assignment.states.size() != result.variables.size()) // of held variables: its value is 0
    return nullptr;
  Json out = Json::object();
  for (size_t i = 0; i < result.variables.size(); ++i)
    addState(out, result.variables[i], assignment.states[i]);
  return out;
}

Json operationJson(const ResultOperationTime &operation) {
  Json out{{"name", operation.name},
           {"device", operation.device},
           {"path", operation.path},
           {"log_domain", operation.log},
           {"time_us", operation.timeUs}};
  if (operation.tunedCandidates != 0)
    out["tuning"] = {{"candidates", operation.tunedCandidates}, {"gain", operation.tunedGain}};
  return out;
}

Json givenJson(const GivenValues &given) {
  Json out = Json::object();
  if (!given.params.empty()) {
    out["params"] = Json::object();
    for (const auto &[name, given_value] : given.params)
      std::visit([&out, &key = name](const auto &value) { out["params"].add(key, value); },
                 given_value);
  }
  if (!given.observed.empty())
    out["observe"] = given.observed;
  if (!given.unobserved.empty())
    out["unobserve"] = given.unobserved;
  return out;
}

std::string textOf(const Json &json) { return json.dump(1) + "\n"; }

} // namespace

std::string resultToJson(const Result &result, const GivenValues &given) {
  Json out;
  out["query"] = result.query;
  out["kind"] = std::string(queryKindName(result.kind));
  if (!given.empty())
    out["given"] = givenJson(given);
  out["zero_probability"] = result.zeroProbability;
  Json observed = Json::object();
  for (const Observation &seen : result.evidence.observations())
    addState(observed, result.variables[seen.variable.index()], seen.state);
  out["observed"] = std::move(observed);
  if (!result.conflict.empty())
    out["conflict"] = result.conflict;
  // A query for one number repeats it at the top, where scripts look first.
  if (!result.tables.empty() && result.tables.front().variables.empty() &&
      !result.tables.front().entries.empty()) {
    const ScaledNumber first = result.tables.front().at(0);
    out["log10"] = first.log10();
    out["ln"] = first.ln();
    out["sign"] = first.sign();
  }
  out["tables"] = Json::array();
  const VariablesByName variables = variablesOf(result);
  for (const ResultTable &table : result.tables)
    out["tables"].push_back(tableJson(table, variables));
  if (!result.assignments.empty())
    out["assignment"] = statesJson(result, result.assignments.front());
  if (result.assignments.size() > 1) {
    out["assignments"] = Json::array();
    for (const ResultAssignment &assignment : result.assignments)
      out["assignments"].push_back(statesJson(result, assignment));
  }
  out["device"] = result.device;
  if (!result.deviceFault.empty())
    out["device_fault"] = result.deviceFault;
  out["element_type"] = result.element;
  out["operations_in_all"] = result.operationsInAll;
  out["operations_run"] = result.operationsRun;
  out["peak_bytes"] = result.peakBytes;
  out["allocated_bytes"] = result.allocatedBytes;
  Json timings = Json::object();
  for (const ResultTiming &timing : result.timings)
    timings[timing.phase + "_us"] = timing.timeUs;
  out["timings"] = std::move(timings);
  if (!result.operations.empty()) {
    out["log_operations"] = result.logOperations;
    out["operations"] = Json::array();
    for (const ResultOperationTime &operation : result.operations)
      out["operations"].push_back(operationJson(operation));
  }
  return textOf(out);
}

std::string refusalToJson(const std::string &query, const std::string &error, int exitCode) {
  return textOf({{"query", query}, {"error", error}, {"exit_code", exitCode}});
}

} // namespace mpf
