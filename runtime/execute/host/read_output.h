// Converts the tables of a finished run to tables of a Result, in the order that the user asked
// for.
#pragma once

#include "runtime/execute/host/executor.h"
#include "runtime/result/result.h"

namespace mpf {

/// Converts one output. If a Normalised output's entries sum to zero, returns an empty table and
/// sets `zeroProbability`. With held variables (codegen/bundle/held_variables.h) it does so only if
/// the sums of all rows are zero, and returns zeros for single rows of sum zero. If all entries of
/// a Value output are zero, returns them and sets `zeroProbability` too.
///
/// `sumExponent` is the exponent with which the inputs were bound (sum_exponent.h). Throws
/// Error(Internal) if an entry is infinite or not a number.
ResultTable readOutput(const Bundle &bundle, const BundleOutput &output, const TableView &table,
                       bool &zeroProbability, int32_t sumExponent = 0);

} // namespace mpf
