// Checks the outputs of a program, for verify_program.h: every kind of query must have its results,
// and every operation must serve one of them.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>

namespace mpf {

/// Returns the first fault in number, order, names or scopes of the outputs, as one sentence, or
/// "". Expects ids in range. `complete`: a marginals program must have an output for every variable
/// already, not only the evidence.
std::string findOutputFault(const TableProgram &program, bool complete);

/// Returns the first fault of the steps of a traceback, as one sentence, or "". Steps choose every
/// variable that is neither observed, sliced nor held once, each from variables that were chosen
/// before. `complete`: false while a pass has yet to add them. Output variables are known.
std::string findTracebackFault(const TableProgram &program, bool complete);

/// Returns one sentence about the first operation that no output and no traceback step needs, or
/// "". So passes that start from the outputs reach every operation. Expects ids in range.
std::string findUnusedResult(const TableProgram &program);

} // namespace mpf
