// Made-up entries of tables whose values do not matter: kernels are measured, and held against each
// other, before any input is bound.
#pragma once

#include "dsl/support/semiring.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

/// Some megabytes of entries, to be repeated over memory: the same on every machine, from 0.5 to 1,
/// so that no product of a few and no sum of many leaves the type's range; with `log` their base-2
/// logarithms. Whole numbers are 1 and 2.
std::vector<std::byte> tuningPattern(ElementType type, bool log);

} // namespace mpf
