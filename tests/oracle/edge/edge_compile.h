// A case of the campaign as a program, on the path that its options name.
#pragma once

#include "runtime/api/session.h"
#include "tests/oracle/edge/edge_case.h"

namespace mpf::oracle {

/// Throws what the compiler throws. Factors that are inputs have no values in the program.
Program compileCase(const EdgeCase &edge);

} // namespace mpf::oracle
