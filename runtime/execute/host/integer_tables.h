// Tables of whole numbers (u64, u128): their states, their sums over slices, and the error for
// counts that do not fit the type.
#pragma once

#include "dsl/support/integer_value.h"
#include "runtime/execute/host/slice_sum.h"

#include <string_view>

namespace mpf {

/// Returns the state of a table whose non-zero entries are in [least, greatest]; greatest = 0: all
/// entries are zero.
TableState integerState(Uint128 least, Uint128 greatest);

/// True if the state records that an entry of the table does not fit `type`.
bool isLostCount(const TableState &state, ElementType type);

/// Throws Error(Overflow) with the bound, a remedy, and the operation of the plan. Callers add the
/// query's name, which the user knows.
[[noreturn]] void failOverflow(std::string_view operation, ElementType type);

/// Does the work of accumulateSlice (accumulate_slice.h) for whole types. Throws Error(Overflow)
/// when a sum does not fit.
bool accumulateIntegers(const SliceSum &how, const TableView &slice, const MutableTable &sum);

} // namespace mpf
