// Converts the values of an input table to the entries of an executor. They are restricted to the
// observed states, permuted to the bundle's layout, scaled by an exact power of two, and rounded to
// the element type.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "dsl/support/wide_table.h"
#include "runtime/execute/host/executor.h"
#include "runtime/execute/host/magnitudes.h"

#include <cstdint>
#include <optional>
#include <span>

namespace mpf {

/// True when the tables hold plain values that are added, not scaled products (max-sum, min-sum):
/// value = entry * 2^exponent with one exponent for all tables (sum_exponent.h).
bool hasPlainTables(const Bundle &bundle);

/// True when the program looks for the least value (min-product, min-sum).
bool minimises(const Bundle &bundle);

/// Checks the values in their order. Throws Error(BadInput) with the factor and the entry for a
/// value that is not finite (a log of -infinity is allowed). Throws it too for a negative value if
/// the bundle was built without, and for a fraction where whole numbers are needed. Rows of a
/// conditional table must be as row_sums.h says. Returns the magnitudes of plain values; nothing
/// for wide ones.
std::optional<Magnitudes> checkInput(const Bundle &bundle, const BundleInput &input,
                                     const StoredValues &values);

/// floor(log2) of the greatest finite magnitude among the values that `evidence` leaves; nothing
/// where these are 0 or infinite.
std::optional<int32_t> greatestExponent(const Bundle &bundle, const BundleInput &input,
                                        std::span<const double> values, const Evidence &evidence);

/// Writes bufferBytes of the input's buffer to `memory` and says how the entries are scaled.
/// `values`: row-major over the input's scope, last variable fastest, as StoredValues reads them.
/// `evidence`: one case, with a state for each variable that the bundle observes. `sumExponent`:
/// the exponent of all tables if they are plain. `all`: the magnitudes of all values, where they
/// are known: then they are not looked for again. Throws Error(BadInput) with the factor for values
/// that are not finite (a log of -infinity is allowed), or negative if the bundle was built
/// without.
TableState bindInput(const Bundle &bundle, const BundleInput &input, std::span<const double> values,
                     const Evidence &evidence, std::byte *memory, int32_t sumExponent = 0,
                     const std::optional<Magnitudes> &all = {});

/// Gives the executor all inputs, with the tables and the evidence of the bundle. Each must have a
/// table. Throws as bindInput.
void bindTables(const Bundle &bundle, Executor &executor);

} // namespace mpf
