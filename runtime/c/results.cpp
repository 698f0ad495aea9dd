// Results for C: numbers, tables and assignments.
#include "runtime/c/handles.h"
#include "runtime/result/result_json.h"

#include <algorithm>
#include <limits>

using namespace mpf;
using namespace mpf::c;

namespace {

template <class Work> mpf_status onResult(const mpf_result *result, const Work &work) noexcept {
  return callOn(result, [&](const mpf_result &handle) { work(handle.result); });
}

/// Does the work on a table of a result.
template <class Work>
mpf_status onTable(const mpf_result *result, size_t table, const Work &work) noexcept {
  return onResult(result, [&](const Result &own) {
    if (table >= own.tables.size())
      fail(ErrorKind::Usage, "query {} has {} tables, there is no table {}", own.query,
           own.tables.size(), table);
    work(own.tables[table]);
  });
}

/// The entries of a row without posterior, as values and as logarithms.
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Does the work on each entry of a table: a function of its index. `count`: of the caller's array.
template <class Work>
mpf_status onEntries(const mpf_result *result, size_t table, uint64_t count,
                     const Work &work) noexcept {
  return onTable(result, table, [&](const ResultTable &own) {
    if (count != own.entries.size())
      fail(ErrorKind::Usage, "table {} has {} entries, the array has {}", own.name,
           own.entries.size(), count);
    for (size_t entry = 0; entry < own.entries.size(); ++entry)
      work(own, entry);
  });
}

std::vector<NamedState> statesOf(const char *const *variables, const char *const *labels,
                                 size_t count) {
  const auto names = spanOf(variables, count, "variables"), texts = spanOf(labels, count, "labels");
  std::vector<NamedState> states;
  for (size_t i = 0; i < count; ++i)
    states.push_back({required(names[i], "a variable"), required(texts[i], "a label")});
  return states;
}

} // namespace

mpf_status mpf_result_query(const mpf_result *result, const char **name) {
  return onResult(result, [&](const Result &own) { *required(name, "name") = own.query.c_str(); });
}

mpf_status mpf_result_device(const mpf_result *result, const char **device) {
  return onResult(result,
                  [&](const Result &own) { *required(device, "device") = own.device.c_str(); });
}

mpf_status mpf_result_is_impossible(const mpf_result *result, int *is_impossible) {
  return onResult(result, [&](const Result &own) {
    *required(is_impossible, "is_impossible") = own.zeroProbability ? 1 : 0;
  });
}

mpf_status mpf_result_number(const mpf_result *result, double *mantissa, int64_t *exponent) {
  return onResult(result, [&](const Result &own) {
    required(mantissa, "mantissa");
    required(exponent, "exponent");
    const ScaledNumber number = own.number();
    *mantissa = number.mantissa;
    *exponent = number.exponent;
  });
}

mpf_status mpf_result_log(const mpf_result *result, double *log) {
  return onResult(result, [&](const Result &own) { *required(log, "log") = own.number().ln(); });
}

mpf_status mpf_result_at(const mpf_result *result, const char *const *variables,
                         const char *const *labels, size_t count, double *value) {
  return onResult(result, [&](const Result &own) {
    required(value, "value");
    *value = own.at(statesOf(variables, labels, count)).nearest();
  });
}

mpf_status mpf_result_find(const mpf_result *result, const char *const *variables, size_t rank,
                           size_t *table) {
  return onResult(result, [&](const Result &own) {
    required(table, "table");
    std::vector<std::string_view> names;
    for (const char *name : spanOf(variables, rank, "variables"))
      names.emplace_back(required(name, "a variable"));
    *table = static_cast<size_t>(&own.table(names) - own.tables.data());
  });
}

mpf_status mpf_result_table_count(const mpf_result *result, size_t *count) {
  return onResult(result,
                  [&](const Result &own) { *required(count, "count") = own.tables.size(); });
}

mpf_status mpf_result_table(const mpf_result *result, size_t table, const char **name,
                            uint32_t *kind, uint64_t *entries) {
  return onTable(result, table, [&](const ResultTable &own) {
    required(name, "name");
    required(kind, "kind");
    *required(entries, "entries") = own.entries.size();
    *name = own.name.c_str();
    *kind = (own.normalised ? MPF_TABLE_POSTERIOR : 0) | (own.logValues ? MPF_TABLE_LOGARITHM : 0) |
            (own.integerEntries.empty() ? 0 : MPF_TABLE_WHOLE);
  });
}

mpf_status mpf_result_axis(const mpf_result *result, size_t table, size_t axis,
                           const char **variable, uint32_t *states) {
  return onTable(result, table, [&](const ResultTable &own) {
    required(states, "states");
    setText(own.variables, axis, required(variable, "variable"));
    *states = axis < own.extents.size() ? own.extents[axis] : 0;
  });
}

mpf_status mpf_result_values(const mpf_result *result, size_t table, double *values,
                             uint64_t count) {
  return onEntries(result, table, count, [&](const ResultTable &own, size_t entry) {
    required(values, "values")[entry] = own.isUndefined(entry) ? kNan : own.at(entry).nearest();
  });
}

mpf_status mpf_result_logs(const mpf_result *result, size_t table, double *logs, uint64_t count) {
  return onEntries(result, table, count, [&](const ResultTable &own, size_t entry) {
    required(logs, "logs")[entry] = own.isUndefined(entry) ? kNan : own.at(entry).ln();
  });
}

mpf_status mpf_result_scaled(const mpf_result *result, size_t table, double *mantissas,
                             int64_t *exponents, uint64_t count) {
  return onEntries(result, table, count, [&](const ResultTable &own, size_t entry) {
    required(mantissas, "mantissas");
    required(exponents, "exponents");
    const ScaledNumber number = own.at(entry);
    mantissas[entry] = number.mantissa;
    exponents[entry] = number.exponent;
  });
}

mpf_status mpf_result_integers(const mpf_result *result, size_t table, uint64_t *low,
                               uint64_t *high, uint64_t count) {
  return onEntries(result, table, count, [&](const ResultTable &own, size_t entry) {
    required(low, "low");
    required(high, "high");
    if (own.integerEntries.empty())
      fail(ErrorKind::Usage, "table {} has no whole numbers: the option type was not u64 or u128",
           own.name);
    low[entry] = static_cast<uint64_t>(own.integerEntries[entry]);
    high[entry] = static_cast<uint64_t>(own.integerEntries[entry] >> 64);
  });
}

mpf_status mpf_result_assignment_count(const mpf_result *result, size_t *count) {
  return onResult(result,
                  [&](const Result &own) { *required(count, "count") = own.assignments.size(); });
}

mpf_status mpf_result_state(const mpf_result *result, size_t assignment, const char *variable,
                            uint32_t *state, const char **label) {
  return callOn(result, [&](const mpf_result &handle) {
    required(state, "state");
    required(label, "label");
    const Result &own = handle.result;
    const std::string text = own.stateOf(required(variable, "variable"), assignment); // or throws
    const auto found = std::ranges::find(own.variables, variable, &ResultVariable::name);
    const auto place = static_cast<size_t>(found - own.variables.begin());
    *state = own.assignments[assignment].states[place];
    *label = found->labels.empty() ? handle.stateNumbers.insert(text).first->c_str()
                                   : found->labels[*state].c_str();
  });
}

mpf_status mpf_result_json(mpf_result *result, const char **text, size_t *bytes) {
  return callOn(result, [&](mpf_result &handle) {
    required(text, "text");
    required(bytes, "bytes");
    if (!handle.json)
      handle.json = resultToJson(handle.result);
    *text = handle.json->c_str();
    *bytes = handle.json->size();
  });
}

const char *mpf_result_error(const mpf_result *result) { return errorOf(result); }

void mpf_result_free(mpf_result *result) { delete result; }
