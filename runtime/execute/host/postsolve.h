// The answer of a simplified problem -> the answer that was asked for: constants multiplied in,
// removed states zero, merged states apart again, eliminated variables back.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/result/result.h"

namespace mpf {

/// Undoes bundle.answer in `result`, whose tables are those of bundle.outputs in order and whose
/// variables are already the declared ones. Assignments in it have the bundle's states.
/// Time and memory: linear in the restored answer. The bundle passed verifyBundle.
void postsolve(const Bundle &bundle, Result &result);

} // namespace mpf
