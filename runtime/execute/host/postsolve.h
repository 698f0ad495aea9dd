// Turns the answer of a simplified problem into the answer of the query. It multiplies constants
// in, adds removed states with zeros, separates merged states and restores eliminated variables.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/result/result.h"

namespace mpf {

/// Undoes bundle.answer in `result`. Its tables are those of bundle.outputs in order, and its
/// variables are the declared ones; its assignments have the bundle's states. Takes time and memory
/// linear in the restored answer. The bundle must have passed verifyBundle.
void postsolve(const Bundle &bundle, Result &result);

} // namespace mpf
