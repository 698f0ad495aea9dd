// Checks that conditional tables form a Bayesian network. If they do not, mpf can still compute
// their product, but it is not normalised and the answers are no probabilities. So the check warns
// and reports no error.
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <functional>
#include <vector>

namespace mpf {

/// The places of the declarations of factors and variables, for warnings.
struct NetworkPlaces {
  std::function<SourcePlace(FactorId)> factor;
  std::function<SourcePlace(VarId)> variable;
};

/// The code that warns about a file: its reader, or the reader's caller, which joins several files
/// into one network and checks the result.
enum class NetworkCheck { Here, ByCaller };

/// Warns of at most one cycle. If all factors but the soft evidence are conditional tables, also
/// warns of variables that have no such table and are not observed. `children` has the child of
/// each conditional table, whose other variables are its parents, and an invalid id for any other
/// factor. Linear time.
void warnOfNetwork(const Model &model, const std::vector<VarId> &children,
                   const NetworkPlaces &places, Diagnostics &diagnostics);

} // namespace mpf
