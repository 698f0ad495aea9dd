// Makes conditional posteriors, P(x | y), from joint ones: a row for each joint state of y.
#pragma once

#include "runtime/result/case_answers.h"
#include "runtime/result/result.h"

#include <span>

namespace mpf {

/// Divides each row of the table (rowVariables) by its sum. A row of zeros stays. The entries are
/// those of a joint posterior, of any scale. A table without rows stays as it is.
void divideRows(ResultTable &table);

/// The same for every case.
void divideRows(CaseTable &table, uint32_t cases);

/// Divides logarithms to base 2 by their sum. Returns false for a row of zeros, which stays.
bool divideLogs(std::span<double> row);

} // namespace mpf
