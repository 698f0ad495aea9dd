#include "codegen/kernel/plan/log_form.h"

#include "dsl/support/check.h"

namespace mpf {

bool usesExp2(const DigitForm &form, ValueForm valueForm) {
  const Reduce reduce = form.semiring.reduce;
  return form.reducedAddresses() > 1 &&
         (reduce == Reduce::LogSum || (valueForm == ValueForm::Log && reduce == Reduce::Sum));
}

bool usesScaledMantissas(const DigitForm &form, const KernelHeader &header) {
  return usesExp2(form, header.valueForm) && header.logSum != LogSum::Running;
}

std::string_view logSumName(LogSum logSum) {
  switch (logSum) {
  case LogSum::Running:
    return "running";
  case LogSum::MantissaLoads:
    return "mantissa-loads";
  case LogSum::MantissaTerms:
    return "mantissa-terms";
  }
  MPF_UNREACHABLE("log sum {}", static_cast<int>(logSum));
}

} // namespace mpf
