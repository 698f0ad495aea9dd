// The part of verify_program about outputs: which results each kind of query must have, and that
// every operation is there for them.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>

namespace mpf {

/// The first fault in number, order, names or scopes of the outputs, or "". Expects ids in range.
/// `complete`: a marginals program must already have an output for every variable, not only the
/// evidence.
std::string findOutputFault(const TableProgram &program, bool complete);

/// The first operation whose result no operation, output or traceback step uses, or "": passes that
/// walk up from the outputs find every operation. Expects ids in range.
std::string findUnusedResult(const TableProgram &program);

} // namespace mpf
