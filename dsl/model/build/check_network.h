// Whether conditional tables make up a Bayesian network. If they do not, mpf can still compute
// their product, but the product is not normalised and the answers are no probabilities. So the
// check warns and reports no error.
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <functional>
#include <vector>

namespace mpf {

/// Where in the text a factor or variable is declared: the places that warnings point to.
struct NetworkPlaces {
  std::function<SourcePlace(FactorId)> factor;
  std::function<SourcePlace(VarId)> variable;
};

/// Which code warns about a file: its reader, or the reader's caller, which joins several files
/// into one network and checks that.
enum class NetworkCheck { Here, ByCaller };

/// `children`, by factor: the child of a conditional table, whose other variables are its parents;
/// an id that is not valid for any other factor. Warns of one cycle at most. If all factors but the
/// soft evidence are conditional tables, also warns of the variables that have no such table and
/// are not observed. Linear time.
void warnOfNetwork(const Model &model, const std::vector<VarId> &children,
                   const NetworkPlaces &places, Diagnostics &diagnostics);

} // namespace mpf
