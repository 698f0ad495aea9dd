// The part of verify_program about outputs: which results each kind of query must have.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>

namespace mpf {

/// The first fault in number, order, names or scopes of the outputs, or "". Expects ids in range.
/// `complete`: a marginals program must already have an output for every variable, not only the
/// evidence.
std::string findOutputFault(const TableProgram &program, bool complete);

} // namespace mpf
