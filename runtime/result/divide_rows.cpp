#include "runtime/result/divide_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf {

namespace {

constexpr double kNoLog = -std::numeric_limits<double>::infinity(); ///< the logarithm of 0
/// Logarithms to base 2 above this are those of normal doubles.
constexpr double kLeastLog = -1000;

// Each function returns false for a row of zeros, which stays.

bool divideRow(std::span<double> row) {
  double sum = 0;
  for (const double entry : row)
    sum += entry;
  for (double &entry : row)
    entry = sum == 0 ? 0 : entry / sum;
  return sum != 0;
}

bool divideNumbers(std::span<ScaledNumber> row) {
  std::vector<double> logs;
  for (const ScaledNumber &number : row)
    logs.push_back(number.log2());
  const bool hasPosterior = divideLogs(logs);
  for (size_t i = 0; i < row.size(); ++i)
    row[i] = logs[i] == kNoLog ? ScaledNumber::fromValue(0) : ScaledNumber::fromLog2(logs[i]);
  return hasPosterior;
}

} // namespace

bool divideLogs(std::span<double> row) {
  const double greatest = *std::ranges::max_element(row);
  if (std::isinf(greatest)) // all are 0
    return false;
  double sum = 0;
  for (const double entry : row)
    sum += std::exp2(entry - greatest);
  for (double &entry : row)
    entry -= greatest + std::log2(sum);
  return true;
}

void divideRows(ResultTable &table) {
  if (table.rowVariables == 0 || table.entries.empty())
    return;
  const std::span<double> entries = table.entries;
  const size_t count = table.rowElems();
  table.undefinedRows.clear();
  for (size_t at = 0; at < entries.size(); at += count)
    table.undefinedRows.push_back(
        !(table.logEntries ? divideLogs : divideRow)(entries.subspan(at, count)));
  table.exponent = 0;
  if (!table.logEntries || std::ranges::any_of(entries, [](double entry) {
        return entry < kLeastLog && entry != kNoLog;
      }))
    return;
  for (double &entry : table.entries)
    entry = std::exp2(entry);
  table.logEntries = false;
}

void divideRows(CaseTable &table, uint32_t cases) {
  if (table.rowVariables == 0)
    return;
  const size_t count = table.rowElems();
  const std::span<double> entries = table.entries;
  table.undefinedRows.clear();
  for (size_t at = 0; at < cases * table.size; at += count)
    table.undefinedRows.push_back(!divideRow(entries.subspan(at, count)));
  std::fill_n(table.exponents.begin(), cases, 0);
  for (auto &[place, numbers] : table.farApart)
    for (size_t at = 0; at < numbers.size(); at += count) {
      const size_t first = place * table.size + at;
      const std::span<ScaledNumber> row = std::span(numbers).subspan(at, count);
      table.undefinedRows[first / count] = !divideNumbers(row);
      for (size_t e = 0; e < count; ++e)
        table.entries[first + e] = row[e].nearest();
    }
}

} // namespace mpf
