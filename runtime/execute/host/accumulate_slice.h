// Adds up slices: sum = sum (+) slice, entry by entry. (+) is the operation's reduction, and each
// table has a separate scale.
//
// Scales are powers of two, so two linear tables get one scale without loss if the range of their
// exponents fits the type. Otherwise the sum is converted to log form. The addition runs on one
// thread, in the order of the entries, so the result has equal bits on every executor.
#pragma once

#include "runtime/execute/host/slice_sum.h"

#include <cstdint>

namespace mpf {

/// Returns true when the reduction is a maximum (minimum) and entry 0 of `sum` now comes from this
/// slice, the best one so far. Among equal slices the first one counts.
bool accumulateSlice(const SliceSum &how, const TableView &slice, const MutableTable &sum);

/// Throws Error(Unsupported), because the sum's scale does not fit TableState.
[[noreturn]] void failBeyondScale(int64_t scale);

} // namespace mpf
