// Entries of tables for autotune, which measures and compares kernels before any input is bound.
#pragma once

#include "dsl/support/semiring.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

/// Returns some megabytes of entries, to be repeated over memory; all machines get equal ones. They
/// are between 0.5 and 1, so that neither a product of a few nor a sum of many leaves the type's
/// range. With `log` they are base-2 logarithms of such values. Whole numbers are 1 and 2.
std::vector<std::byte> tuningPattern(ElementType type, bool log);

} // namespace mpf
