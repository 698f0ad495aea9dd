// Tables of a finished run -> tables of a Result, in the order the user asked for.
#pragma once

#include "runtime/execute/host/executor.h"
#include "runtime/result/result.h"

namespace mpf {

/// One output. A Normalised one whose entries sum to zero gives an empty table and sets
/// `zeroProbability`, and so does a Value whose entries are all zero (with its zeros).
/// `sumExponent` as the inputs were bound with. Throws Error(Internal) if an entry is infinite or
/// not a number.
ResultTable readOutput(const Bundle &bundle, const BundleOutput &output, const TableView &table,
                       bool &zeroProbability, int32_t sumExponent = 0);

} // namespace mpf
