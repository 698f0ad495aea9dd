// --verify: recomputes entries of a result from the operands by the definition of the operation.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/host/table_view.h"

#include <span>

namespace mpf {

/// Recomputes up to `samples` entries of `result` (spread evenly; fewer when the sums are so long
/// that more than about a million terms would be formed) in extended precision, from the digits
/// of `operation` alone. Throws Error(Verification) naming the operation, the entry and both
/// values when one differs by more than operationTolerance.
void verifyOperation(const BundleOperation &operation, std::span<const TableView> operands,
                     const TableView &result, size_t samples);

/// The same for whole types, exactly, for the given entries (numbered over the kept digits).
void verifyIntegerOperation(const BundleOperation &operation, std::span<const TableView> operands,
                            const TableView &result, std::span<const uint64_t> entries);

/// Compares up to `samples` entries of a chain's result: `together`, which one kernel computed,
/// with `oneByOne`, which `last`, the chain's last operation, computed after the others. Signed
/// sums are not compared, because they may cancel. Throws Error(Verification) as verifyOperation.
void verifySame(const Bundle &bundle, const BundleOperation &last, const TableView &together,
                const TableView &oneByOne, size_t samples);

} // namespace mpf
