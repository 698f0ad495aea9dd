// The recomputation of verify_operation.h for whole numbers: modulo 2^128, one entry at a time. A
// correct entry fits its type, and so do all its partial sums.
#include "runtime/execute/host/verify_operation.h"

#include "dsl/support/check.h"
#include "dsl/support/integer_value.h"
#include "runtime/execute/host/digit_address.h"

#include <algorithm>
#include <fmt/format.h>

namespace mpf {

namespace {

/// A term of an entry. If it exceeds 2^128 - 1 it is `beyond`, and greater than all others.
struct IntegerTerm {
  Uint128 value = 0;
  bool beyond = false;
};

IntegerTerm termAt(const BundleOperation &operation, std::span<const TableView> operands,
                   const DigitAddress &address) {
  const bool plus = operation.semiring.combine == Combine::Plus;
  IntegerTerm term{plus ? Uint128{0} : Uint128{1}, false};
  bool zero = false;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Uint128 entry = operands[i].whole(address.offset(operation.operands[i]));
    zero |= entry == 0;
    term.beyond |= !(plus ? addIntegers(term.value, entry, term.value)
                          : multiplyIntegers(term.value, entry, term.value));
  }
  return zero && !plus ? IntegerTerm{} : term;
}

} // namespace

void verifyIntegerOperation(const BundleOperation &operation, std::span<const TableView> operands,
                            const TableView &result, std::span<const uint64_t> entries) {
  DigitAddress address(operation.digits);
  for (const uint64_t entry : entries) {
    address.setKept(entry);
    const uint64_t at = address.offset(operation.result);
    IntegerTerm expected = termAt(operation, operands, address);
    while (address.nextTerm()) {
      const IntegerTerm term = termAt(operation, operands, address);
      if (operation.semiring.reduce == Reduce::Sum) {
        expected.beyond |= term.beyond || !addIntegers(expected.value, term.value, expected.value);
      } else {
        const bool above = term.beyond || (!expected.beyond && term.value > expected.value);
        if (above == (operation.semiring.reduce == Reduce::Max))
          expected = term;
      }
    }
    if (expected.beyond || result.whole(at) != expected.value)
      fail(ErrorKind::Verification, "operation {}: entry {} is {} but its definition gives {}{}",
           operation.name, at, result.whole(at), expected.beyond ? "a number beyond u128, " : "",
           expected.value);
  }
}

} // namespace mpf
