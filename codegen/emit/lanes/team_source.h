// The text of the table-driven kernels of teams, which run any lane program
// (codegen/bundle/lanes/team_program.h).
#pragma once

#include "dsl/support/semiring.h"

#include <cstddef>
#include <string>

namespace mpf {

/// Returns self-contained CUDA text with all entry points (teamEntry in team_program.h), for F32 or
/// F64.
std::string teamSource(ElementType type);

/// Returns the length of the head of that text, which precedes the teams' part: the device
/// functions of all lanes, and the type of entries.
size_t teamHeadBytes(ElementType type);

} // namespace mpf
