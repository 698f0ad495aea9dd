// Gives an executor every input of a bundle, with the bundle's own tables and evidence.
#pragma once

#include "runtime/execute/host/executor.h"

namespace mpf {

/// Every input must have a table in the bundle. Throws as bindInput.
void bindTables(const Bundle &bundle, Executor &executor);

} // namespace mpf
