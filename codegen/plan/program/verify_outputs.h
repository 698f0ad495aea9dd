// The part of verify_program about results: what each kind of query gives its user.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>

namespace mpf {

/// What is wrong with the number, order, names and scopes of the outputs, or "". Needs ids in
/// range. `complete`: marginals have been computed for every variable, not only the evidence.
std::string findOutputFault(const TableProgram &program, bool complete);

} // namespace mpf
