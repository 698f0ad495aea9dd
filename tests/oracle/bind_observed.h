// Gives an executor every input table of a bundle, restricted to the observed states of the bundle.
#pragma once

#include "runtime/execute/host/executor.h"

namespace mpf::oracle {

/// Every input must have a table in the bundle.
void bindObserved(const Bundle &bundle, Executor &executor);

} // namespace mpf::oracle
