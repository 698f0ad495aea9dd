// Matrix plan -> text; read_matrix.h reads it back. Doubles are exact; comments are for people.
#pragma once

#include "codegen/kernel/plan/matrix_plan.h"

#include <string>

namespace mpf {

/// Ends with a newline. `program` gives names in comments.
std::string printMatrix(const MatrixPlan &plan, const TableProgram *program = nullptr);

} // namespace mpf
