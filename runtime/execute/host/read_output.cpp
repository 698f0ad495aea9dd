#include "runtime/execute/host/read_output.h"

#include "codegen/bundle/held_variables.h"
#include "codegen/bundle/table_map.h"
#include "dsl/support/check.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/digit_loop.h"
#include "runtime/result/divide_rows.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace mpf {

namespace {

/// Replaces logarithms by values relative to the greatest. `signs`: one per entry, or none.
void fromLogs(std::span<double> entries, std::span<const int8_t> signs) {
  const double greatest = *std::ranges::max_element(entries);
  for (size_t i = 0; i < entries.size(); ++i) {
    const double value = std::isinf(entries[i]) ? 0 : std::exp2(entries[i] - greatest);
    entries[i] = !signs.empty() && signs[i] < 0 ? -value : value;
  }
}

/// Divides entries by their sum. If it is zero or not finite, sets them to zero and returns false.
bool normaliseRow(std::span<double> entries) {
  double sum = 0;
  for (const double entry : entries)
    sum += entry;
  const bool isPossible = sum != 0 && std::isfinite(sum);
  for (double &entry : entries)
    entry = isPossible ? entry / sum : 0;
  return isPossible;
}

/// Whether some share of a row is neither 0 nor a normal double, and would lose digits. False for
/// tables that may have negative values.
bool leavesDoubles(const ResultTable &table, uint64_t rowElems) {
  if (!table.signs.empty())
    return false;
  const std::span<const double> entries = table.entries;
  for (uint64_t at = 0; at < entries.size(); at += rowElems) {
    const std::span<const double> row = entries.subspan(at, rowElems);
    double sum = 0, greatest = -kInfinity;
    for (const double entry : row) {
      if (!table.logEntries && entry < 0)
        return false;
      sum += entry;
      greatest = std::max(greatest, entry);
    }
    if (std::ranges::any_of(row, [&](double entry) {
          return table.logEntries ? !std::isinf(entry) && entry - greatest < -1000
                                  : entry != 0 && !std::isnormal(entry / sum);
        }))
      return true;
  }
  return false;
}

/// Divides each row by its sum in logarithms. No entry is negative.
void normaliseLogs(ResultTable &table, uint64_t rowElems) {
  if (!table.logEntries)
    for (double &entry : table.entries)
      entry = std::log2(entry);
  const std::span<double> entries = table.entries;
  for (uint64_t at = 0; at < entries.size(); at += rowElems)
    divideLogs(entries.subspan(at, rowElems));
  table.logEntries = true;
  table.exponent = 0;
}

/// Divides each row of `rowElems` entries by its sum. Returns false if all sums are zero.
bool normalise(ResultTable &table, uint64_t rowElems) {
  bool isPossible = false;
  const std::span<double> entries = table.entries;
  const std::span<const int8_t> signs = table.signs;
  for (uint64_t at = 0; at < entries.size(); at += rowElems) {
    const std::span<double> row = entries.subspan(at, rowElems);
    if (table.logEntries)
      fromLogs(row, signs.empty() ? signs : signs.subspan(at, rowElems));
    isPossible |= normaliseRow(row);
  }
  table.logEntries = false;
  table.signs.clear();
  table.exponent = 0;
  return isPossible;
}

/// Returns the number of entries that are divided by one sum: a posterior has one row for each
/// joint state of held variables.
uint64_t rowElemsOf(const Bundle &bundle, const ResultTable &table) {
  return heldVariables(bundle).empty() ? table.entries.size() : table.extents.back();
}

} // namespace

ResultTable readOutput(const Bundle &bundle, const BundleOutput &output, const TableView &view,
                       bool &zeroProbability, int32_t sumExponent) {
  ResultTable table;
  table.name = output.name;
  for (const VarId id : output.scope) {
    table.variables.push_back(bundle.variables[id.index()].name);
    table.extents.push_back(bundle.variables[id.index()].extent);
  }
  table.normalised = output.normalised;
  table.rowVariables = output.rowVariables;
  table.logEntries = view.isLog();
  table.logValues = bundle.logInputs && !table.normalised;
  table.exponent = int64_t{view.state.scale} + sumExponent;
  table.entries.resize(view.sizeElems);
  if (view.signs != nullptr)
    table.signs.resize(view.sizeElems);

  const bool plain = hasPlainTables(bundle);
  const std::vector<LoopDigit> digits = loopDigits(mapOfOutput(bundle, output).digits);
  DigitLoop loop(digits, 1);
  bool allZero = true;
  for (size_t i = 0; i < table.entries.size(); ++i, loop.next()) {
    const double entry = view.entry(loop.offset(0));
    MPF_CHECK(!std::isnan(entry) && (plain || table.logEntries || std::isfinite(entry)) &&
                  !(table.logEntries && entry > 0 && std::isinf(entry)),
              "entry {} of {} is {}", i, output.name, entry);
    allZero &= table.logEntries ? std::isinf(entry) : entry == 0;
    table.entries[i] = entry;
    if (isIntegerType(view.type))
      table.integerEntries.push_back(view.whole(loop.offset(0)));
    if (view.signs != nullptr)
      table.signs[i] = view.signs[loop.offset(0)];
  }
  if (allZero && !plain)
    zeroProbability = true;
  if (!table.normalised)
    return table;
  // The evidence is read first. If its probability is 0, all posteriors are empty.
  const uint64_t rowElems = rowElemsOf(bundle, table);
  if (!allZero && !zeroProbability && leavesDoubles(table, rowElems))
    normaliseLogs(table, rowElems);
  else if (zeroProbability || !normalise(table, rowElems)) {
    zeroProbability = true;
    table.entries.clear();
    table.signs.clear();
    table.logEntries = false;
  }
  return table;
}

} // namespace mpf
