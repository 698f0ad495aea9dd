// Prints a result as text for people.
#pragma once

#include "runtime/result/result.h"

namespace mpf {

inline constexpr size_t kFoldedLines = 20;

struct PrintOptions {
  size_t maxEntries = 32; ///< most entries printed of one table; a last line counts the others
  bool profile = false;   ///< whether to print times too, and the costliest operations
  /// Whether a result is for a terminal. A long assignment then has a line for each variable that
  /// is not observed. Posteriors and assignments show their first kFoldedLines lines.
  bool folds = false;
};

/// Returns the tables and assignments, and with PrintOptions::profile the times. Ends with a
/// newline.
std::string printResult(const Result &result, const PrintOptions &options = {});

/// Returns a number in one line: its logarithms and, where it fits a double, its value. A number
/// within 64 roundings of 1 is printed as 1, with logarithms of 0.
std::string describeNumber(const ScaledNumber &number);

} // namespace mpf
