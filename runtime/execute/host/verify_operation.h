// --verify: entries of a result, recomputed from the operands by the definition.
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

/// The same for whole types, exactly, of the entries named (counted over the kept digits).
void verifyIntegerOperation(const BundleOperation &operation, std::span<const TableView> operands,
                            const TableView &result, std::span<const uint64_t> entries);

/// The result of a chain that one kernel gave, against that of `last`, its last operation, after
/// the operations ran one by one: up to `samples` entries. Signed sums may cancel, and are not
/// compared. Throws Error(Verification) as above.
void verifySame(const Bundle &bundle, const BundleOperation &last, const TableView &together,
                const TableView &oneByOne, size_t samples);

} // namespace mpf
