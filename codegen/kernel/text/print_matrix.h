// Matrix plan -> text; read_matrix.h reads it back. Doubles are exact; comments are for people.
#pragma once

#include "codegen/kernel/plan/matrix_plan.h"

#include <string>

namespace mpf {

/// The text ends with a newline. With a `program`, comments name variables and tables.
std::string printMatrix(const MatrixPlan &plan, const TableProgram *program = nullptr);

} // namespace mpf
