// A split sum (codegen/plan/program/split_k.h) in digit form: two operations, of which the first
// computes partial sums and the second adds them up.
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The extents of the reduced digits of a form, most significant first.
std::vector<uint64_t> reducedExtents(const DigitForm &form);

/// Returns the operation that computes `splits` partial sums, each over one stretch of the reduced
/// addresses. The number of the stretch becomes kept digits in front of all others. The result
/// repeats the layout of the whole result for each stretch. `splits` must divide the sum
/// (splitsDivide). Digits may merge afterwards.
DigitForm partialForm(const DigitForm &whole, uint64_t splits);

/// Returns the operation that adds up the splits: it has the result's digits and layout, and one
/// reduced digit. Its operand is partialForm's result; table numbers are those of `whole`.
DigitForm addingForm(const DigitForm &whole, uint64_t splits);

} // namespace mpf
