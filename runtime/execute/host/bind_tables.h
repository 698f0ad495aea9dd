// Gives an executor every input of a bundle, with the tables and the evidence in the bundle.
#pragma once

#include "runtime/execute/host/executor.h"

namespace mpf {

/// Binds all inputs. Each must have a table in the bundle. Throws as bindInput.
void bindTables(const Bundle &bundle, Executor &executor);

} // namespace mpf
