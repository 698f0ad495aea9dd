// The orders in which programs list the entries of .uai tables.
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Puts the entries of a table over variables of `extents`, in the order of the scope, into the
/// format's order. The number of entries is the product of the extents.
void toFormatOrder(UaiTableOrder order, std::span<const uint32_t> extents,
                   std::vector<double> &entries);

/// Whether aGrUM lists the table of this scope in another order than the format: it does if at
/// least two parents have several states.
bool ordersDiffer(const Model &model, const std::vector<VarId> &scope);

/// Whether every row of the child sums to 1 if the child is the slowest variable of the entries.
bool sumsWithChildSlowest(std::span<const double> entries, uint64_t childExtent);

} // namespace mpf
