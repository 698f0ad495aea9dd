// The text form of a plan of any family (`--emit=kernel`, `-x kernel`): lines of words, see
// line_reader.h.
#pragma once

#include "codegen/kernel/kernel_plan.h"

#include <string>

namespace mpf {

/// Returns the text of a plan. readKernels (read_kernel.h) reads it back; printing what was read
/// gives the same text. With a `program`, comments name the digits' variables and the tables.
std::string printKernel(const KernelPlan &plan, const TableProgram *program = nullptr);

} // namespace mpf
