#include "codegen/emit/nest/kernel_frame.h"

#include "dsl/support/check.h"
#include "dsl/support/scaled_mantissa.h"

#include <algorithm>
#include <array>

namespace mpf {

const char *operandName(size_t index) {
  static constexpr std::array<const char *, kMaxOperands> kNames = {"f", "g", "h", "a",
                                                                    "b", "c", "d", "e"};
  MPF_CHECK(index < kNames.size(), "operand {} of at most {}", index, kNames.size());
  return kNames[index];
}

std::vector<OperandNames> operandNames(const DigitForm &operation) {
  std::vector<OperandNames> names;
  for (size_t i = 0; i < operation.operands.size(); ++i)
    names.push_back({operandName(i), fmt::format("s{}", i), operation.operands[i].packed});
  return names;
}

std::string packedName(const std::string &name) { return name + "Bits"; }

void openCudaKernel(const KernelHeader &plan, const OpEmitter &ops,
                    const std::vector<OperandNames> &names, CodeWriter &out) {
  MPF_CHECK(plan.launch.blockThreads > 0, "{}: blocks of {} threads", plan.name,
            plan.launch.blockThreads);
  std::string parameters, stateNumbers;
  for (const OperandNames &name : names) {
    parameters += fmt::format("const {} *__restrict__ {}, ", name.packed ? "unsigned" : ops.type,
                              name.packed ? packedName(name.operand) : name.operand);
    stateNumbers += fmt::format("int {}, ", name.state);
  }
  out.line("extern \"C\" __global__ void __launch_bounds__({}, {})", plan.launch.blockThreads,
           plan.launch.minBlocksPerSm);
  out.line("{}({}{} *__restrict__ result,", plan.name, parameters, ops.type);
  out.open(fmt::format("    MpfTableState *__restrict__ states, {}int sResult, int mode)",
                       stateNumbers));
}

void beginLoads(CodeWriter &out) { out.text("MPF_GRID_BEGIN(mode);"); }

void beginStores(CodeWriter &out) { out.text("MPF_GRID_STORES(mode);"); }

void closeCudaKernel(CodeWriter &out) {
  out.text("MPF_GRID_END(mode);");
  out.close();
}

namespace {

/// Prints the scales of mantissas. MantissaLoads divides the mantissas' range among the operands.
/// MantissaTerms gives a term the whole range: the first operand that is not packed takes the lift
/// of the term, the others none. Zeros and ones of packed operands need no conversion.
void writeMantissas(const KernelHeader &plan, const OpEmitter &ops,
                    const std::vector<OperandNames> &operandNames, int termsLog2, CodeWriter &out) {
  const size_t operands = operandNames.size();
  MPF_CHECK(ops.sumsMantissas && plan.logSum != LogSum::Running, "{} does not sum mantissas",
            plan.name);
  const bool terms = plan.logSum == LogSum::MantissaTerms;
  const auto whole =
      static_cast<size_t>(std::count_if(operandNames.begin(), operandNames.end(),
                                        [](const OperandNames &names) { return !names.packed; }));
  const MantissaRule rule =
      mantissaRule(plan.type, terms ? 1 : std::max<size_t>(1, whole), termsLog2);
  out.line("const int lift = mpfMantissaLift<{}>(operands, {});", ops.type, rule.lift);
  std::string names, exponents;
  bool lifted = false;
  for (size_t i = 0; i < operands; ++i) {
    const std::string name = ops.converterArgument(operandNames[i].operand);
    if (operandNames[i].packed)
      out.line("const MpfMantissaForm {} = {{0, 1}};", name);
    else
      out.line("const MpfMantissaForm {} = MpfMantissaForm::of(operands[{}], {});", name, i,
               terms && lifted ? "0" : "lift");
    lifted |= !operandNames[i].packed;
    names += (i == 0 ? "" : ", ") + name;
    exponents += name + ".exponent" + (i + 1 < operands ? " + " : "");
  }
  out.line("const MpfMantissaForm mantissas[{}] = {{{}}};", operands, names);
  out.line(
      "const unsigned limit = mpfMantissaLimit(mpfMantissaGuard<{}>(operands, mantissas, {}));",
      ops.type, rule.guardLog2);
  out.line("const int offset = {} - shift;", exponents);
}

/// Prints a return under the condition that the mode asks for a check of ranges and `refused`
/// holds.
void writeRefusal(const std::string &refused, CodeWriter &out) {
  out.open(fmt::format("if ((mode & MPF_IF_EXACT) != 0 && {})", refused));
  beginStores(out);
  out.text("MPF_GRID_END(mode);");
  out.text("return;");
  out.close();
}

/// Prints the decision for whole numbers: unless no number can overflow, the checked kernel must
/// run.
void writeIntegerDecision(Combine combine, const OpEmitter &ops, size_t operands, int termsLog2,
                          CodeWriter &out) {
  writeRefusal(fmt::format("!mpfIntegersFit<{}>(operands, {}, {}, {})", ops.type, operands,
                           combine == Combine::Plus, termsLog2),
               out);
  out.text("const MpfTableState seen = mpfRange(states, sResult);");
  out.line("MpfIntegerRange<{0}> range = MpfIntegerRange<{0}>::empty();", ops.type);
}

} // namespace

/// Prints the decision between linear and log form. The device decides from the operands' ranges,
/// with the same result in every thread.
void writeFormDecision(const KernelHeader &plan, const DigitForm &operation, const OpEmitter &ops,
                       const std::vector<OperandNames> &names, CodeWriter &out) {
  MPF_CHECK(names.size() == operation.operands.size(), "{}: {} names for {} operands", plan.name,
            names.size(), operation.operands.size());
  MPF_CHECK(ops.scaled, "{}: tables of plain values have no states", plan.name);
  std::string states;
  for (const OperandNames &name : names)
    states += fmt::format("{}mpfState(states, {})", states.empty() ? "" : ", ", name.state);
  const int termsLog2 = operation.termsLog2(); // as the host counts them
  out.line("const MpfTableState operands[{}] = {{{}}};", names.size(), states);
  if (ops.isInteger)
    return writeIntegerDecision(operation.semiring.combine, ops, names.size(), termsLog2, out);
  writeRefusal(
      fmt::format("{}mpfLinearIsExact<{}>(operands, {})", ops.log ? "" : "!", ops.type, termsLog2),
      out);
  out.text("const MpfTableState seen = mpfRange(states, sResult);");
  out.text("const int shift = mpfLinearShift(operands);");
  out.text("const int scale = mpfScaleSum(operands) + shift;");
  if (!ops.log)
    out.line("const MpfRescale<{0}> rescale = MpfRescale<{0}>::of(shift);", ops.type);
  if (ops.sumsMantissas)
    writeMantissas(plan, ops, names, termsLog2, out);
  for (size_t i = 0; ops.log && !ops.sumsMantissas && i < names.size(); ++i)
    if (!names[i].packed)
      out.line("const int {}Form = operands[{}].form;", names[i].operand, i);
  out.line("{0}<{1}> range = {0}<{1}>::empty();",
           ops.sumsMantissas ? "MpfMantissaRange"
           : ops.log         ? "MpfLogRange"
                             : "MpfLinearRange",
           ops.type);
}

void writeRecord(const KernelHeader &plan, const OpEmitter &ops, CodeWriter &out) {
  MPF_CHECK(ops.scaled, "{}: tables of plain values have no states", plan.name);
  out.line("mpfRecord(states, sResult, seen, range, {}, {}, {});", ops.isInteger ? "0" : "scale",
           ops.log ? 1 : 0, plan.launch.blockThreads);
}

void openRolled(CodeWriter &out, const std::string &type, const std::string &index,
                uint64_t count) {
  out.directive("#pragma unroll 1");
  out.open(fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1})", type, index, count));
}

} // namespace mpf
