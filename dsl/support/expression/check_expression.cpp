#include "dsl/support/expression/check_expression.h"

#include <fmt/format.h>

namespace mpf {

std::string findExpressionFault(const Expression &expression, size_t scopeSize, size_t paramCount) {
  size_t depth = 0;
  for (const Instruction &instruction : expression.code) {
    const OpCode code = instruction.code;
    if (code == OpCode::State && instruction.slot >= scopeSize)
      return fmt::format("variable {} of a scope of {}", instruction.slot, scopeSize);
    if (code == OpCode::Param && instruction.slot >= paramCount)
      return fmt::format("parameter {} of {}", instruction.slot, paramCount);
    if (isForBuilding(code))
      return "an entry of an array";
    const size_t taken = code <= OpCode::Param ? 0 : code < OpCode::Or ? 1 : 2;
    const size_t needed = code == OpCode::Select ? 3 : taken;
    if (depth < needed)
      return fmt::format("an operation on {} numbers, there are {}", needed, depth);
    depth = depth - needed + 1;
  }
  return depth == 1 ? "" : fmt::format("an expression that leaves {} numbers", depth);
}

std::string findDerivationFault(const Expression &derivation, size_t slot) {
  return derivation.usesParams() ? findExpressionFault(derivation, 0, slot)
                                 : "an expression without a parameter";
}

void addParamsOf(const Expression &expression, std::set<uint32_t> &slots) {
  for (const Instruction &instruction : expression.code)
    if (instruction.code == OpCode::Param)
      slots.insert(instruction.slot);
}

} // namespace mpf
