// Model -> GeNIe XDSL, for other programs. Numbers are printed so that reading them gives the same
// bits.
#pragma once

#include "dsl/formats/network/written_model.h"
#include "dsl/model/model.h"

namespace mpf {

/// Returns the text of the network: a `cpt` for each table, a `noisymax` for each noisy-max whose
/// states fall, as those of GeNIe do. A noisy-max whose states rise is a table over all causes.
/// Throws Error(Unsupported) for a model that is no Bayesian network (network_to_write.h).
WrittenModel writeXdsl(const Model &model);

} // namespace mpf
