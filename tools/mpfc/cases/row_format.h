// Formats the answers to cases as CSV, JSON or .npy.
#pragma once

#include "tools/mpfc/cases/answer_columns.h"
#include "tools/mpfc/cases/case_pipeline.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace mpf::driver {

/// A format of rows. It is immutable, so several threads may use it.
class RowFormat {
public:
  virtual ~RowFormat() = default;

  /// Returns the text before the first row of a file of `rows` rows. Its size does not depend on
  /// the number.
  virtual std::string head(uint64_t rows) const = 0;
  /// Whether the head depends on the number of rows, so that it is written again at the end.
  virtual bool headCountsRows() const = 0;
  /// Adds the cases with a number that the format cannot hold to those that their query refuses
  /// (CaseAnswers::refused).
  virtual void refuseCases(CaseJob &) const {}
  /// Appends one row for each case of the job.
  virtual void appendRows(const CaseJob &job, std::string &text) const = 0;
};

/// Returns the natural logarithm; NaN, which means no answer, for a negative number.
inline double logarithmOf(const ScaledNumber &number) {
  return number.sign() < 0 ? std::numeric_limits<double>::quiet_NaN() : number.ln();
}

/// Returns the logarithm of an entry of case i; NaN if it is negative.
inline double logarithmOf(const CaseTable &table, uint64_t i, size_t entry) {
  if (!table.farApart.empty())
    return logarithmOf(table.at(i, entry));
  const double value = table.entries[i * table.size + entry];
  return value < 0 ? std::numeric_limits<double>::quiet_NaN()
                   : lnOfScaled(value, table.exponents[i]);
}

/// Returns the log-odds of case i of a group of the kind Lod; NaN for a negative number, and for 0
/// over 0.
inline double lodOf(const AnswerGroup &group, const CaseTable &table, uint64_t i) {
  return (logarithmOf(table, i, 0) - group.lnReference) / std::numbers::ln10;
}

/// Computes the logarithms of all entries of cases [first, first + count), row-major.
void logarithmsOf(const CaseTable &table, uint32_t first, uint32_t count, double *logarithms);

/// RFC 4180, in UTF-8: a header with the names of the columns, lines that end with a line feed. A
/// number is the shortest text that reads back to the same double, or 10^308.43 where no double
/// holds it; a state is its label, or its number. Cells are empty where there is no answer.
std::unique_ptr<RowFormat> csvFormat(std::vector<AnswerGroup> columns);

/// JSON Lines: each row is an object in a line, its members are the columns of the CSV. A number is
/// a JSON number. It is a text if no finite double holds it ("-inf", "10^308.43") or if it is a
/// whole number above 2^53. A label and a kept cell is a text. A cell without an answer is null.
std::unique_ptr<RowFormat> jsonLinesFormat(const std::vector<AnswerGroup> &columns);

/// NumPy's .npy, version 1.0: an array of little-endian doubles, rows x columns of the CSV. A
/// state is its number; NaN where there is no answer. refuseCases: counts above 2^53, and numbers
/// that no double holds.
std::unique_ptr<RowFormat> npyFormat(std::vector<AnswerGroup> columns);

} // namespace mpf::driver
