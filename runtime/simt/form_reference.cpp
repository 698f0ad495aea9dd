#include "runtime/simt/form_reference.h"

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

uint64_t entryAt(const DigitAccess &access, const std::vector<uint64_t> &values) {
  uint64_t offset = 0;
  for (size_t digit = 0; digit < values.size(); ++digit)
    offset += values[digit] * access.stridesElems[digit];
  return offset;
}

/// Sets the digits first..last-1 to their next values; the last digit counts fastest. Returns false
/// after the last values.
bool countUp(const std::vector<Digit> &digits, size_t first, size_t last,
             std::vector<uint64_t> &values) {
  size_t digit = last;
  while (digit > first && ++values[digit - 1] == digits[digit - 1].extent)
    values[--digit] = 0;
  return digit > first;
}

long double termAt(const DigitForm &form, const std::vector<std::vector<long double>> &operands,
                   const std::vector<uint64_t> &values) {
  long double term = form.semiring.combine == Combine::Times ? 1 : 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    const long double value = operands[i].at(entryAt(form.operands[i], values));
    term = form.semiring.combine == Combine::Times ? term * value : term + value;
  }
  return term;
}

} // namespace

std::vector<long double> evaluateForm(const DigitForm &form,
                                      const std::vector<std::vector<long double>> &operands,
                                      const std::vector<bool> &wanted) {
  std::vector<long double> result(form.result.sizeElems, reduceIdentity(form.semiring));
  std::vector<uint64_t> values(form.digits.size(), 0);
  const size_t kept = form.keptCount(); // kept digits come first
  do {
    const uint64_t entry = entryAt(form.result, values);
    if (!wanted.empty() && !wanted.at(entry))
      continue;
    long double &sum = result.at(entry);
    do
      sum = reduceTerm(form.semiring.reduce, sum, termAt(form, operands, values));
    while (countUp(form.digits, kept, values.size(), values));
  } while (countUp(form.digits, 0, kept, values));
  return result;
}

std::vector<long double> evaluateForm(const DigitForm &form,
                                      const std::vector<std::vector<double>> &operands,
                                      const std::vector<bool> &wanted) {
  std::vector<std::vector<long double>> wide;
  for (const std::vector<double> &operand : operands)
    wide.emplace_back(operand.begin(), operand.end());
  return evaluateForm(form, wide, wanted);
}

} // namespace mpf::simt
