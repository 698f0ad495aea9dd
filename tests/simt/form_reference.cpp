#include "tests/simt/form_reference.h"

#include "dsl/support/check.h"

namespace mpf::simt {

namespace {

long double reduceTerm(Reduce reduce, long double sum, long double term) {
  switch (reduce) {
  case Reduce::Sum:
    return sum + term;
  case Reduce::Max:
    return term > sum ? term : sum;
  case Reduce::Min:
    return term < sum ? term : sum;
  case Reduce::LogSum:
    break;
  }
  MPF_UNREACHABLE("logsum is evaluated as the sum of the values whose logs are given");
}

} // namespace

std::vector<long double> evaluateForm(const DigitForm &form,
                                      const std::vector<std::vector<long double>> &operands) {
  std::vector<long double> result(form.result.sizeElems, reduceIdentity(form.semiring));
  std::vector<uint64_t> values(form.digits.size(), 0);
  const auto entry = [&](const DigitAccess &access) {
    uint64_t offset = 0;
    for (size_t digit = 0; digit < values.size(); ++digit)
      offset += values[digit] * access.stridesElems[digit];
    return offset;
  };
  while (true) {
    long double term = form.semiring.combine == Combine::Times ? 1 : 0;
    for (size_t i = 0; i < operands.size(); ++i) {
      const long double value = operands[i].at(entry(form.operands[i]));
      term = form.semiring.combine == Combine::Times ? term * value : term + value;
    }
    long double &sum = result.at(entry(form.result));
    sum = reduceTerm(form.semiring.reduce, sum, term);
    size_t digit = values.size();
    while (digit > 0 && ++values[digit - 1] == form.digits[digit - 1].extent)
      values[--digit] = 0;
    if (digit == 0)
      return result;
  }
}

std::vector<long double> evaluateForm(const DigitForm &form,
                                      const std::vector<std::vector<double>> &operands) {
  std::vector<std::vector<long double>> wide;
  for (const std::vector<double> &operand : operands)
    wide.emplace_back(operand.begin(), operand.end());
  return evaluateForm(form, wide);
}

} // namespace mpf::simt
