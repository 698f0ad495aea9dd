// Adding up slices: sum = sum (+) slice, entry by entry, where the tables have scales of their own.
//
// Scales are powers of two, so bringing two linear tables to one scale loses nothing as long as the
// range of their exponents fits the type; otherwise the sum turns to log form, as any table does.
// Single-threaded, in the order of the entries: the result has the same bits on every executor.
#pragma once

#include "runtime/execute/host/slice_sum.h"

namespace mpf {

/// Returns true when entry 0 of a maximum (minimum) now comes from this slice, the best one so far.
/// Among equal slices the first one counts.
bool accumulateSlice(const SliceSum &how, const TableView &slice, const MutableTable &sum);

} // namespace mpf
