// One number of a .npy file.
#pragma once

#include "dsl/formats/tables/npy_header.h"

namespace mpf {

/// The number at `item`, which has type.bytes bytes, as a double; NaN when it has no exact one: a
/// 64-bit integer beyond 2^53, a bool other than 0 and 1.
double npyNumber(const char *item, const NpyType &type);

} // namespace mpf
