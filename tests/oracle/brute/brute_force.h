// Evaluates the definition of an operation and of a whole program without any cleverness: every
// assignment of every variable, in extended precision. All other results are judged by it.
#pragma once

#include "codegen/bundle/bundle.h"

#include <vector>

namespace mpf::oracle {

/// A value as sign and log2, so that nothing under- or overflows.
struct LogValue {
  long double log2 = 0;
  int sign = 1; ///< 0 for zero
};

/// Expected entries of a table, and for each the sum of its terms' magnitudes (log2). Rounding
/// errors are relative to that sum.
struct ExpectedTable {
  std::vector<LogValue> entries;
  std::vector<long double> magnitudes;
};

/// Returns the values of every buffer of a bundle of scaled (Times, or log input) operations.
std::vector<ExpectedTable> bruteForce(const Bundle &bundle);

/// Returns those of plain max-sum and min-sum bundles: entries are the values themselves.
std::vector<std::vector<long double>> bruteForcePlain(const Bundle &bundle);

} // namespace mpf::oracle
