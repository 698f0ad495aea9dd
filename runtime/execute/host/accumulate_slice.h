// Adds up slices: sum = sum (+) slice, entry by entry, where (+) is the operation's reduction and
// each table has a scale of its own.
//
// Scales are powers of two, so two linear tables are brought to one scale without loss, as long as
// the range of their exponents fits the type; otherwise the sum is converted to log form. It runs
// on one thread, in the order of the entries, so the result has the same bits on every executor.
#pragma once

#include "runtime/execute/host/slice_sum.h"

#include <cstdint>

namespace mpf {

/// Returns true when the reduction is a maximum (minimum) and entry 0 of `sum` now comes from this
/// slice, the best one so far. Of equal slices the first one counts.
bool accumulateSlice(const SliceSum &how, const TableView &slice, const MutableTable &sum);

/// Throws Error(Unsupported): the sum would have a scale that no state holds.
[[noreturn]] void failBeyondScale(int64_t scale);

} // namespace mpf
