// Model -> GeNIe XDSL, for other programs. Numbers are printed so that reading them gives the same
// bits.
#pragma once

#include "dsl/model/model.h"

#include <string>
#include <vector>

namespace mpf {

/// Returns the text of the network: a `cpt` for each table, a `noisymax` for each noisy-max whose
/// states fall, as those of GeNIe do. A noisy-max whose states rise is a table over all causes.
/// Throws Error(Unsupported) for a model that is no Bayesian network (network_to_write.h).
std::string writeXdsl(const Model &model);

/// Returns a sentence on each thing of the model that the text leaves out.
std::vector<std::string> xdslLosses(const Model &model);

} // namespace mpf
