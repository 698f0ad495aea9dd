// Model -> BIF, for other programs. Numbers are printed so that reading them gives the same bits.
#pragma once

#include "dsl/formats/network/written_model.h"
#include "dsl/model/model.h"

namespace mpf {

/// Returns the text of the network. Throws Error(Unsupported) for a model that is no Bayesian
/// network (network_to_write.h).
WrittenModel writeBif(const Model &model);

} // namespace mpf
