// Tables of whole numbers (u64, u128): their states, their sums over slices, and the sentence for
// counts that do not fit.
#pragma once

#include "dsl/support/integer_value.h"
#include "runtime/execute/host/slice_sum.h"

#include <string_view>

namespace mpf {

/// The state of a table whose entries other than zero lie in [least, greatest]. `greatest` 0: all
/// entries are zero.
TableState integerState(Uint128 least, Uint128 greatest);

/// True when a kernel noted in the state of a result that an entry of it does not fit `type`.
bool isLostCount(const TableState &state, ElementType type);

/// Throws Error(Overflow): which operation, the bound, and what to ask for instead.
[[noreturn]] void failOverflow(std::string_view operation, ElementType type);

/// accumulateSlice for whole types. Error(Overflow) when a sum does not fit.
bool accumulateIntegers(const SliceSum &how, const TableView &slice, const MutableTable &sum);

} // namespace mpf
