// What every CUDA kernel has around its loops: the signature, the choice between linear and log
// form, and the names that operands carry in the text.
#pragma once

#include "codegen/emit/nest/op_emitter.h"
#include "dsl/support/code_writer.h"

#include <string>
#include <vector>

namespace mpf {

/// "f", "g", "h", ...: operand `index` in the text.
const char *operandName(size_t index);

/// What a kernel's text calls one operand and the number of its state.
struct OperandNames {
  std::string operand; ///< "f"
  std::string state;   ///< "s0"
  bool packed = false;
};
/// operandName and "s0", "s1", ... for all operands.
std::vector<OperandNames> operandNames(const DigitForm &operation);

/// The words of packed operand `name`: "fBits".
std::string packedName(const std::string &name);

/// Opens the kernel: launch bounds, parameters as emit_cuda.h lists them. `names`: one for each
/// operand, here and below.
void openCudaKernel(const KernelHeader &plan, const OpEmitter &ops,
                    const std::vector<OperandNames> &names, CodeWriter &out);
/// Stands before the first load, of states too: launches before may still write what is read until
/// here. Addresses need not wait.
void beginLoads(CodeWriter &out);
/// Stands before the first store: launches before may still use that memory until here.
void beginStores(CodeWriter &out);
void closeCudaKernel(CodeWriter &out);
/// Returns from the kernel when the other form (of whole numbers: the checked kernel) is to run;
/// declares `seen`, `scale`, `range` and what rescales the outputs. For plans whose tables have
/// scales (OpEmitter::scaled); `operation`: what the kernel computes as a whole.
void writeFormDecision(const KernelHeader &plan, const DigitForm &operation, const OpEmitter &ops,
                       const std::vector<OperandNames> &names, CodeWriter &out);
/// The range of what was stored goes to the result's state.
void writeRecord(const KernelHeader &plan, const OpEmitter &ops, CodeWriter &out);

/// "for (unsigned i = 0; i < 8; ++i) {", not unrolled.
void openRolled(CodeWriter &out, const std::string &type, const std::string &index, uint64_t count);

} // namespace mpf
