// Checks the outputs of a program, for verify_program.h: every kind of query must have its results,
// and every operation must serve one of them.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>

namespace mpf {

/// The first fault in number, order, names or scopes of the outputs, as one sentence, or "".
/// Expects ids in range. `complete`: a marginals program must have an output for every variable
/// already, not only the evidence.
std::string findOutputFault(const TableProgram &program, bool complete);

/// What is wrong with the steps of a traceback, one sentence, or "": steps decide every variable
/// that is neither observed, sliced nor held once, each from what was decided before. `complete`:
/// false while a pass has yet to add them. Output variables are known.
std::string findTracebackFault(const TableProgram &program, bool complete);

/// One sentence about the first operation that no output and no traceback step needs, or "". So
/// passes that start from the outputs reach every operation. Expects ids in range.
std::string findUnusedResult(const TableProgram &program);

} // namespace mpf
