// Checks that inputs fit the tables that cases give for them.
#pragma once

#include "codegen/bundle/head/program_head.h"

#include <string>

namespace mpf {

/// Returns the fault of the inputs of a program; empty if they are sound. The variables, schema and
/// formulas of the program must be sound.
std::string caseInputFault(const ProgramHead &head);

} // namespace mpf
