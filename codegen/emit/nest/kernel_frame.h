// The parts of a CUDA kernel around its loops: the signature, the choice between linear and log
// form, and the names of operands in the text.
#pragma once

#include "codegen/emit/nest/op_emitter.h"
#include "dsl/support/code_writer.h"

#include <string>
#include <vector>

namespace mpf {

/// The name of operand `index` in the text: "f", "g", "h", ... `index` is below kMaxOperands.
const char *operandName(size_t index);

/// The names of one operand and of the index of its state in a kernel's text.
struct OperandNames {
  std::string operand; ///< "f"
  std::string state;   ///< "s0"
  bool packed = false;
};
/// operandName and "s0", "s1", ... for all operands.
std::vector<OperandNames> operandNames(const DigitForm &operation);

/// The parameter that holds the words of packed operand `name`: "fBits".
std::string packedName(const std::string &name);

/// Opens the kernel: launch bounds and the parameters that emit_cuda.h lists. Here and below,
/// `names` has one element for each operand.
void openCudaKernel(const KernelHeader &plan, const OpEmitter &ops,
                    const std::vector<OperandNames> &names, CodeWriter &out);
/// Prints MPF_GRID_BEGIN. Every load, of tables and of states, must come after it: earlier launches
/// may still be writing until then. Addresses may be computed before it.
void beginLoads(CodeWriter &out);
/// Prints MPF_GRID_STORES. Every store must come after it: earlier launches may still use that
/// memory until then.
void beginStores(CodeWriter &out);
void closeCudaKernel(CodeWriter &out);
/// Prints the decision whether this kernel computes or returns, because the kernel of the other
/// form (for whole numbers: the checked kernel) is to run. Declares `seen`, `scale`, `range` and
/// what rescales the outputs. Only for plans whose tables have states (OpEmitter::scaled).
/// `operation` is the whole computation of the kernel.
void writeFormDecision(const KernelHeader &plan, const DigitForm &operation, const OpEmitter &ops,
                       const std::vector<OperandNames> &names, CodeWriter &out);
/// Prints the statements that record the range of the stored entries in the result's state.
void writeRecord(const KernelHeader &plan, const OpEmitter &ops, CodeWriter &out);

/// "for (unsigned i = 0; i < 8; ++i) {", not unrolled.
void openRolled(CodeWriter &out, const std::string &type, const std::string &index, uint64_t count);

} // namespace mpf
