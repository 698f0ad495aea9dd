// A sum in parts (codegen/plan/program/split_k.h), in digit form: the two operations it becomes.
#pragma once

#include "codegen/kernel/build/build_kernel.h"
#include "codegen/kernel/form/digit_form.h"

#include <functional>

namespace mpf {

/// The reduced digits of a form, most significant first.
std::vector<uint64_t> reducedExtents(const DigitForm &form);

/// The sums of `parts` stretches of the reduced addresses: what tells them apart becomes kept
/// digits in front of all others, and the result has the layout of the whole one once for each
/// stretch. The number must divide (partsDivide). Digits may merge afterwards.
DigitForm partialForm(const DigitForm &whole, uint64_t parts);

/// The sum over the parts: the result's digits and layout, and one reduced digit. Its operand is
/// partialForm's result; table numbers are those of `whole`.
DigitForm addingForm(const DigitForm &whole, uint64_t parts);

/// Device time of a form, in microseconds.
using FormTime = std::function<double(const DigitForm &)>;

struct PartsChoice {
  uint64_t parts = 1; ///< 1: the sum stays whole
  double timeUs = 0;  ///< of both operations, or of the whole one
};

/// Into so many parts at most: they take little memory beside the operands, and each is a sum long
/// enough to be worth a table entry. 1: the results by themselves are enough for any device.
uint64_t mostParts(const DigitForm &whole);

/// The number of parts of least time, by trial; digits of the forms it asks about are merged.
/// `options` say how far the kernel for the whole is from its floor: nothing is tried for less.
PartsChoice chooseParts(const DigitForm &whole, const KernelOptions &options,
                        const FormTime &timeUs);

} // namespace mpf
