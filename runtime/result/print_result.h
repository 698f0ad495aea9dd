// Prints a result as text for people.
#pragma once

#include "runtime/result/result.h"

namespace mpf {

struct PrintOptions {
  size_t maxEntries = 32; ///< most entries printed of one table; a last line counts the others
  bool profile = false;   ///< print timings and operations too
};

/// "log10 Z = -12.345..., Z = 4.5e-13" and the like; ends with a newline.
std::string printResult(const Result &result, const PrintOptions &options = {});

/// One number in one line: its logs and, where it fits, its plain value. One within 64 roundings of
/// doubles of 1 is 1 with logarithms of 0.
std::string describeNumber(const ScaledNumber &number);

} // namespace mpf
