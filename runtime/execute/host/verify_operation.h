// --verify: recomputes entries of a result from the operands by the definition of the operation.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/host/table_view.h"

#include <span>

namespace mpf {

/// Recomputes up to `samples` entries of `result`, spread evenly, in extended precision, from the
/// digits of `operation` alone. Long sums reduce the number of entries, so that about a million
/// terms are formed at most. Throws Error(Verification) with the operation, the entry and both
/// values when one differs by more than operationTolerance.
void verifyOperation(const BundleOperation &operation, std::span<const TableView> operands,
                     const TableView &result, size_t samples);

/// Recomputes the given entries (numbered over the kept digits) for whole types, exactly. Throws as
/// verifyOperation.
void verifyIntegerOperation(const BundleOperation &operation, std::span<const TableView> operands,
                            const TableView &result, std::span<const uint64_t> entries);

/// Compares up to `samples` entries of a chain's result. One kernel computed `together`; single
/// operations computed `oneByOne`, the last of them `last`. Signed sums are not compared, because
/// they may cancel. Throws Error(Verification) as verifyOperation.
void verifySame(const Bundle &bundle, const BundleOperation &last, const TableView &together,
                const TableView &oneByOne, size_t samples);

} // namespace mpf
