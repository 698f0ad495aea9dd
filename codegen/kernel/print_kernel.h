// The text form of a plan of any family (`--emit=kernel`, `-x kernel`): lines of words, see
// line_reader.h.
#pragma once

#include "codegen/kernel/kernel_plan.h"

#include <string>

namespace mpf {

/// Everything readKernels (read_kernel.h) needs, so that reading and printing again gives the same
/// text. With a `program`, comments name the digits' variables and the tables.
std::string printKernel(const KernelPlan &plan, const TableProgram *program = nullptr);

} // namespace mpf
