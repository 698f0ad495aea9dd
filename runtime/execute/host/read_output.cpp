#include "runtime/execute/host/read_output.h"

#include "codegen/bundle/table_map.h"
#include "dsl/support/check.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/digit_loop.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

/// entries become fractions of their sum; false when it is zero.
bool normalise(ResultTable &table) {
  if (table.logEntries) {
    double greatest = -std::numeric_limits<double>::infinity();
    for (const double entry : table.entries)
      greatest = std::max(greatest, entry);
    for (size_t i = 0; i < table.entries.size(); ++i) {
      const double value =
          std::isinf(table.entries[i]) ? 0 : std::exp2(table.entries[i] - greatest);
      table.entries[i] = !table.signs.empty() && table.signs[i] < 0 ? -value : value;
    }
    table.logEntries = false;
    table.signs.clear();
  }
  table.exponent = 0;
  double sum = 0;
  for (const double entry : table.entries)
    sum += entry;
  if (sum == 0 || !std::isfinite(sum))
    return false;
  for (double &entry : table.entries)
    entry /= sum;
  return true;
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
  table.normalised = output.kind == OutputKind::Normalised;
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
  // The evidence comes first, so a part of probability 0 takes the posteriors of all others along.
  if (table.normalised && (zeroProbability || !normalise(table))) {
    zeroProbability = true;
    table.entries.clear();
    table.signs.clear();
    table.logEntries = false;
  }
  return table;
}

} // namespace mpf
