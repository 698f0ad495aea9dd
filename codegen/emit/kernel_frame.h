// What every CUDA kernel has around its loops: the signature, the choice between linear and log
// form, and the names that operands carry in the text.
#pragma once

#include "codegen/emit/code_writer.h"
#include "codegen/emit/op_text.h"

#include <string>

namespace mpf {

/// "f", "g", "h", ...: operand `index` in the text.
const char *operandName(size_t index);

/// Opens the kernel: launch bounds, parameters as emit_cuda.h lists them.
void openCudaKernel(const KernelPlan &plan, const OpText &ops, CodeWriter &out);
/// Returns from the kernel when the other form is to run; declares `seen`, `scale`, `range` and
/// what rescales the outputs. For plans whose tables have scales (OpText::scaled).
void writeFormDecision(const KernelPlan &plan, const OpText &ops, CodeWriter &out);
/// The range of what was stored goes to the result's state.
void writeRecord(const KernelPlan &plan, const OpText &ops, CodeWriter &out);

} // namespace mpf
