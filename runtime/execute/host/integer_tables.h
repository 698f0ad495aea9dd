// Tables of whole numbers (u64, u128): their states, their sums over slices, and the error for
// counts that do not fit the type.
#pragma once

#include "dsl/support/integer_value.h"
#include "runtime/execute/host/slice_sum.h"

#include <string_view>

namespace mpf {

/// The state of a table whose entries other than zero lie in [least, greatest]; greatest = 0: all
/// entries are zero.
TableState integerState(Uint128 least, Uint128 greatest);

/// Whether the state says that an entry of the table does not fit `type`; a kernel records this.
bool isLostCount(const TableState &state, ElementType type);

/// Throws Error(Overflow), naming the bound, what the user can ask for instead, and behind that the
/// operation of the plan. The query, which has a name that the user knows, is named by callers.
[[noreturn]] void failOverflow(std::string_view operation, ElementType type);

/// accumulateSlice (accumulate_slice.h) for whole types. Throws Error(Overflow) when a sum does not
/// fit.
bool accumulateIntegers(const SliceSum &how, const TableView &slice, const MutableTable &sum);

} // namespace mpf
