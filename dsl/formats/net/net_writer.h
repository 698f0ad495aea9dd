// Model -> Hugin NET, for other programs. Numbers are printed so that reading them gives the same
// bits.
#pragma once

#include "dsl/model/model.h"

#include <string>
#include <vector>

namespace mpf {

/// Returns the text of the network. Throws Error(Unsupported) for a model that is no Bayesian
/// network (network_to_write.h).
std::string writeNet(const Model &model);

/// Returns a sentence on each thing of the model that the text leaves out.
std::vector<std::string> netLosses(const Model &model);

} // namespace mpf
