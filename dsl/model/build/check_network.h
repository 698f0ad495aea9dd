// Is what is written as a Bayesian network one? A product of conditional tables that is none can be
// computed like any other, so this warns: what comes out is then of an unnormalised product.
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <functional>
#include <vector>

namespace mpf {

/// Where a warning points to.
struct NetworkPlaces {
  std::function<SourcePlace(FactorId)> factor;
  std::function<SourcePlace(VarId)> variable;
};

/// Who gives the warnings about a file: its reader, or the caller, who puts several files together
/// into one network.
enum class NetworkCheck { Here, ByCaller };

/// `children`, by factor: the variable whose conditional table it is, given the others of its
/// scope; not valid for other factors. Reports at most one cycle, and, where all factors (but soft
/// evidence) are conditional tables, the variables that have none and are not observed. Linear
/// time.
void warnOfNetwork(const Model &model, const std::vector<VarId> &children,
                   const NetworkPlaces &places, Diagnostics &diagnostics);

} // namespace mpf
