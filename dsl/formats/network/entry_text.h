// The entries of a table as text that reads back to the same bits, for writers.
#pragma once

#include "dsl/support/number_text.h"
#include "dsl/support/numbers/scaled_text.h"
#include "dsl/support/numbers/table_number.h"
#include "dsl/support/wide_table.h"

#include <string>

namespace mpf {

/// Returns the decimal number of entry `i`, with at most 17 digits.
inline std::string entryTextOf(const StoredValues &values, uint64_t i) {
  return values.isWide() || isBelowNormal(values.mantissa(i)) ? formatScaled(values.at(i))
                                                              : formatDouble(values.mantissa(i));
}

} // namespace mpf
