#include "codegen/emit/op_text.h"

#include "dsl/support/check.h"

namespace mpf {

OpText::OpText(const KernelPlan &plan) {
  const Semiring semiring = plan.form.semiring;
  MPF_CHECK(isSemiring(semiring), "{} has reduce {} with combine {}", plan.name,
            static_cast<int>(semiring.reduce), static_cast<int>(semiring.combine));
  type = plan.type == ElementType::F32 ? "float" : "double";
  log = plan.valueForm == ValueForm::Log;
  scaled = semiring.combine == Combine::Times || semiring.reduce == Reduce::LogSum;
  MPF_CHECK(scaled || !log, "{}: plain values have no log form", plan.name);
  MPF_CHECK(log || semiring.reduce != Reduce::LogSum, "{}: logsum needs the log form", plan.name);
  multiply_ = semiring.combine == Combine::Times && !log;
  switch (semiring.reduce) {
  case Reduce::Sum:
  case Reduce::LogSum:
    reduction_ = log ? Reduction::LogSum : Reduction::Sum;
    break;
  case Reduce::Max:
    reduction_ = Reduction::Max;
    break;
  case Reduce::Min:
    reduction_ = Reduction::Min;
    break;
  }
  logSum = reduction_ == Reduction::LogSum;
}

std::string OpText::identity() const {
  if (reduction_ == Reduction::Sum)
    return type == "float" ? "0.0f" : "0.0";
  // Products of non-negative values: nothing is below 0.
  if (reduction_ == Reduction::Max && multiply_)
    return type == "float" ? "0.0f" : "0.0";
  return fmt::format("{}mpfInfinity<{}>()", reduction_ == Reduction::Min ? "" : "-", type);
}

std::string OpText::combine(const std::string &left, const std::string &right) const {
  return fmt::format("{} {} {}", left, multiply_ ? '*' : '+', right);
}

std::string OpText::reduce(const std::string &index, const std::string &value) const {
  switch (reduction_) {
  case Reduction::Sum:
    return fmt::format("acc[{}] += {};", index, value);
  case Reduction::Max:
    return fmt::format("acc[{0}] = mpfMax<{2}>(acc[{0}], {1});", index, value, type);
  case Reduction::Min:
    return fmt::format("acc[{0}] = mpfMin<{2}>(acc[{0}], {1});", index, value, type);
  case Reduction::LogSum:
    break;
  }
  return fmt::format("mpfLogAdd<{2}>(acc[{0}], accSum[{0}], {1});", index, value, type);
}

std::string OpText::start(const std::string &index) const {
  if (!logSum)
    return fmt::format("acc[{}] = {};", index, identity());
  return fmt::format("acc[{0}] = mpfLogStart<{1}>(), accSum[{0}] = 0;", index, type);
}

std::string OpText::total(const std::string &index) const {
  if (!logSum)
    return fmt::format("acc[{}]", index);
  return fmt::format("mpfLogTotal<{1}>(acc[{0}], accSum[{0}])", index, type);
}

} // namespace mpf
