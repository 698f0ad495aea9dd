// The text of the table-driven kernels of teams, which run any lane program
// (codegen/bundle/lanes/team_program.h).
#pragma once

#include "dsl/support/semiring.h"

#include <cstddef>
#include <string>

namespace mpf {

/// Self-contained CUDA text with all entry points (teamEntry in team_program.h), for F32 or F64.
std::string teamSource(ElementType type);

/// The bytes of that text in front of what is the teams' own: device functions of all lanes, and
/// which type entries have.
size_t teamHeadBytes(ElementType type);

} // namespace mpf
