// LAYOUT CHOICE: in which order a bucket's tables keep their entries when the compiler is free to
// say so. Inputs are laid out once, offline; a message is laid out by the bucket that writes it.
//
// What a kernel wants of a layout: the lanes of a warp run along the digit that is fastest in the
// result, so that stores are whole lines, and every operand is either fastest in the same digit,
// whole lines again, or lacks it, one entry for all lanes. Reduced digits stand directly above an
// operand's fastest digit: the terms of a sum are whole rows of a page, one behind the other, and
// never neighbours in a row (the papers' global order, ICS'08 section 3, has them as neighbours,
// which costs a kernel one sector per lane and term, or a transposition in shared memory).
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <vector>

namespace mpf {

/// Kept digits, the fastest of the result first. Preferred: long digits, multiples of a sector's
/// and of a warp's vectors, inside the operand that dominates the traffic (if one does), outside
/// the others.
std::vector<DigitId> layoutOrder(const DigitForm &form);

/// The same order, then those with its second, third, ... digit in front: `most` at most. Which of
/// them a kernel gains most by only its model tells.
std::vector<std::vector<DigitId>> layoutOrders(const DigitForm &form, size_t most);
/// So many are worth their planning time.
inline constexpr size_t kLayoutOrdersTried = 3;

/// The same bucket with every table dense in the layout above; digits keep their numbers.
DigitForm chooseLayouts(DigitForm form);

/// The same with the kept digits in a given order, the fastest first. Reduced digits stand above
/// the operand's first kept digits: as few of them as make a row of `leastRowElems`.
DigitForm layOut(DigitForm form, const std::vector<DigitId> &kept, uint64_t leastRowElems = 1);

} // namespace mpf
