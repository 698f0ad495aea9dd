// The text form of a kernel plan (`--emit=kernel`, `-x kernel`): lines of words, see line_reader.h.
#pragma once

#include "codegen/kernel/plan/kernel_plan.h"

#include <string>

namespace mpf {

/// Everything readKernel (read_kernel.h) needs, so that reading and printing again gives the same
/// text; the page tables of the first pages stand in comments. With a `program`, comments name the
/// digits' variables and the tables.
std::string printKernel(const KernelPlan &plan, const TableProgram *program = nullptr);

namespace detail {
std::string printMatrix(const MatrixPlan &matrix);
} // namespace detail

} // namespace mpf
