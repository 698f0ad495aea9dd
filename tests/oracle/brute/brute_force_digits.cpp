#include "tests/oracle/brute/brute_force_digits.h"

#include "tests/oracle/brute/reduce_values.h"

namespace mpf {

std::vector<double> bruteForce(const DigitForm &form, ValueForm valueForm,
                               const std::vector<std::vector<double>> &operands) {
  const ValueRules rules(form.semiring, valueForm);
  std::vector<double> result(form.result.sizeElems, rules.identity());
  std::vector<uint64_t> value(form.digits.size(), 0);
  const auto offset = [&](const DigitAccess &access) {
    uint64_t at = 0;
    for (size_t d = 0; d < value.size(); ++d)
      at += value[d] * access.stridesElems[d];
    return at;
  };
  for (bool more = true; more;) {
    double term = operands[0][offset(form.operands[0])];
    for (size_t i = 1; i < operands.size(); ++i)
      term = rules.combine(term, operands[i][offset(form.operands[i])]);
    double &entry = result[offset(form.result)];
    entry = rules.reduce(entry, term);
    more = false;
    for (size_t d = value.size(); d-- > 0 && !more;) {
      more = ++value[d] < form.digits[d].extent;
      if (!more)
        value[d] = 0;
    }
  }
  return result;
}

} // namespace mpf
