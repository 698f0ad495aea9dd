// Compiles a case of the campaign on the path that its options name.
#pragma once

#include "runtime/api/session.h"
#include "tests/oracle/edge/edge_case.h"

namespace mpf::oracle {

/// Compiles a case; throws the compiler's errors. Factors that are inputs have no values in the
/// program.
Program compileCase(const EdgeCase &edge);

} // namespace mpf::oracle
