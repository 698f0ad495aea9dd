// Eliminates the variables over which a projected count does not run, before the others.
#pragma once

#include "dsl/formats/network/network_builder.h"

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace mpf {

/// The most variables of a table that elimination makes.
inline constexpr size_t kWidestProjectedTable = 16;
/// The most entries that it looks at, in a whole text.
inline constexpr uint64_t kProjectionWork = uint64_t{1} << 28;

/// The bound that stops an elimination.
enum class ProjectionBound {
  Width, ///< kWidestProjectedTable
  Work,  ///< kProjectionWork
};

/// Maximises over the `hidden` variables, one after the other: bucket elimination, the variable
/// with the fewest neighbours first (Dechter 1999). The factors that name them are tables of 0
/// and 1. Adds the maxima as factors. Returns the factors whose product is the maximum of the
/// product of all. Each added factor follows from the others, so that their product stays as it
/// was.
///
/// A bound instead: an elimination would exceed it, and no factor was added. The names of the new
/// factors are `projected1` and so on; those beyond the limits of models are reported. All
/// variables have two states.
std::variant<std::vector<FactorId>, ProjectionBound> eliminateHidden(NetworkBuilder &network,
                                                                     std::span<const VarId> hidden);

} // namespace mpf
