#include "codegen/simplify/state/algebra.h"

#include "codegen/simplify/state/entry_value.h"
#include "dsl/support/check.h"
#include "dsl/support/integer_value.h"

#include <cmath>

namespace mpf {

Entry Algebra::repeatedOne(uint32_t count) const {
  if (semiring_.reduce == Reduce::Sum)
    return Entry(count);
  const double one = combineIdentity(semiring_.combine);
  return Entry(semiring_.reduce == Reduce::LogSum ? one + std::log(count) : one);
}

bool Algebra::fitsScale(const AnswerScale &scale, Entry entry) const {
  const double value = EntryValue::of(entry);
  if (isInteger_ && semiring_.combine == Combine::Times)
    return std::ldexp(scale.factor.mantissa, static_cast<int>(scale.factor.exponent)) * value <
           kExactTextLimit;
  return isZero(entry) || semiring_.combine == Combine::Times ||
         std::abs(scale.offset + value) <= AnswerScale::kMaxOffset;
}

bool Algebra::multiplyScale(AnswerScale &scale, Entry entry) const {
  if (isZero(entry))
    return false;
  const double value = EntryValue::of(entry);
  MPF_CHECK(fitsScale(scale, entry), "offset {} + {} is beyond {}", scale.offset, value,
            AnswerScale::kMaxOffset);
  if (semiring_.combine == Combine::Plus)
    scale.offset += value;
  else // also 0: the minimum of products may be 0
    scale.factor = scale.factor * ScaledNumber::fromValue(value);
  return true;
}

} // namespace mpf
