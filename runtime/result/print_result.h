// Prints a result as text for people.
#pragma once

#include "runtime/result/result.h"

namespace mpf {

struct PrintOptions {
  size_t maxEntries = 32; ///< most entries printed of one table; a last line counts the others
  bool profile = false;   ///< print timings and operations too
};

/// "log10 Z = -12.345..., Z = 4.5e-13" and the like; ends with a newline. A single number that the
/// rounding of the run's operations does not tell from 1 is printed as 1 with logarithms of 0.
std::string printResult(const Result &result, const PrintOptions &options = {});

/// One number in one line: its logs and, where it fits, its plain value. `relativeError` is what
/// rounding may add to it.
std::string describeNumber(const ScaledNumber &number, double relativeError = 0);

} // namespace mpf
