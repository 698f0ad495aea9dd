// A split sum (codegen/plan/program/split_k.h), in digit form: the two operations it becomes.
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The extents of the reduced digits of a form, most significant first.
std::vector<uint64_t> reducedExtents(const DigitForm &form);

/// The sums of `splits` stretches of the reduced addresses: what tells them apart becomes kept
/// digits in front of all others, and the result has the layout of the whole one once for each
/// stretch. The number must divide (splitsDivide). Digits may merge afterwards.
DigitForm partialForm(const DigitForm &whole, uint64_t splits);

/// The sum over the splits: the result's digits and layout, and one reduced digit. Its operand is
/// partialForm's result; table numbers are those of `whole`.
DigitForm addingForm(const DigitForm &whole, uint64_t splits);

} // namespace mpf
