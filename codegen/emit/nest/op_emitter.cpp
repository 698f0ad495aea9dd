#include "codegen/emit/nest/op_emitter.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/log_form.h"
#include "dsl/support/check.h"

namespace mpf {

OpEmitter::OpEmitter(const KernelHeader &plan, const DigitForm &operation) {
  const Semiring semiring = operation.semiring;
  MPF_CHECK(isSemiring(semiring), "{} has reduce {} with combine {}", plan.name,
            static_cast<int>(semiring.reduce), static_cast<int>(semiring.combine));
  type = entryTypeText(plan.type);
  isInteger = isIntegerType(plan.type);
  log = plan.valueForm == ValueForm::Log;
  scaled = !addsPlainValues(semiring) || isInteger;
  MPF_CHECK(!isInteger || !log, "{}: whole numbers have no log form", plan.name);
  MPF_CHECK(scaled || !log, "{}: plain values have no log form", plan.name);
  MPF_CHECK(log || semiring.reduce != Reduce::LogSum, "{}: logsum needs the log form", plan.name);
  sumsMantissas = usesScaledMantissas(operation, plan);
  const bool loads = sumsMantissas && plan.logSum == LogSum::MantissaLoads;
  multiply_ = semiring.combine == Combine::Times && !log;
  switch (semiring.reduce) {
  case Reduce::Sum:
  case Reduce::LogSum:
    reduction_ = !log || loads   ? Reduction::Sum
                 : sumsMantissas ? Reduction::TermSum
                 : usesExp2(operation, plan.valueForm)
                     ? Reduction::LogSum
                     : Reduction::Max; // a sum of one logarithm needs no exponential
    break;
  case Reduce::Max:
    reduction_ = Reduction::Max;
    break;
  case Reduce::Min:
    reduction_ = Reduction::Min;
    break;
  }
  multiply_ |= loads;
  logSum = reduction_ == Reduction::LogSum;
  if (log)
    converter = loads ? "mpfMantissa" : sumsMantissas ? "mpfMantissaLog" : "mpfToLog";
}

std::string OpEmitter::converterArgument(const std::string &name) const {
  MPF_CHECK(log, "operand {} of a kernel in linear form is not converted", name);
  return fmt::format("{}{}", name, sumsMantissas ? "Mantissa" : "Form");
}

std::pair<std::string, std::string> OpEmitter::packedEntries() const {
  if (multiply_)
    return {zero(), fmt::format("static_cast<{}>(1)", type)};
  return logarithmsOfBits();
}

std::pair<std::string, std::string> OpEmitter::logarithmsOfBits() const {
  return {fmt::format("-mpfInfinity<{}>()", type), zero()};
}

std::string OpEmitter::identity() const {
  if (reduction_ == Reduction::Sum)
    return zero();
  // Products of non-negative values: nothing is below 0.
  if (reduction_ == Reduction::Max && (multiply_ || isInteger))
    return zero();
  if (isInteger)
    return fmt::format("~static_cast<{}>(0)", type);
  return fmt::format("{}mpfInfinity<{}>()", reduction_ == Reduction::Min ? "" : "-", type);
}

std::string OpEmitter::absent() const {
  if (converter.empty())
    return identity();
  return sumsMantissas ? fmt::format("-mpfInfinity<{}>()", type) : "";
}

std::string OpEmitter::combine(const std::string &left, const std::string &right) const {
  return fmt::format("{} {} {}", left, multiply_ ? '*' : '+', right);
}

std::string OpEmitter::reduce(const std::string &index, const std::string &value) const {
  switch (reduction_) {
  case Reduction::Sum:
    return fmt::format("acc[{}] += {};", index, value);
  case Reduction::TermSum:
    return fmt::format("acc[{}] += mpfPower2OrZero({}, {});", index, value, zero());
  case Reduction::Max:
    return fmt::format("acc[{0}] = mpfMax<{2}>(acc[{0}], {1});", index, value, type);
  case Reduction::Min:
    return fmt::format("acc[{0}] = mpfMin<{2}>(acc[{0}], {1});", index, value, type);
  case Reduction::LogSum:
    break;
  }
  return fmt::format("mpfLogAdd<{2}>(acc[{0}], accSum[{0}], {1});", index, value, type);
}

std::string OpEmitter::start(const std::string &index) const {
  if (!logSum)
    return fmt::format("acc[{}] = {};", index, sumsMantissas ? zero() : identity());
  return fmt::format("acc[{0}] = mpfLogStart<{1}>(), accSum[{0}] = 0;", index, type);
}

std::string OpEmitter::total(const std::string &index) const {
  if (sumsMantissas)
    return fmt::format("mpfLog2Plus(acc[{}], offset)", index);
  if (!logSum)
    return fmt::format("acc[{}]", index);
  return fmt::format("mpfLogTotal<{1}>(acc[{0}], accSum[{0}])", index, type);
}

} // namespace mpf
