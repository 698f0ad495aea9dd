// LAYOUT CHOICE: chooses the order of entries in an operation's tables, if the compiler is free to
// choose it. Inputs are laid out once, before the run. A message is laid out by the operation that
// writes it.
//
// Kernels are fast on these layouts. The lanes of a warp run along the fastest digit of the result,
// so that stores are whole lines. Every operand either has the same fastest digit, so that loads
// are whole lines too, or lacks it, so that all lanes read one entry. Reduced digits stand directly
// above an operand's fastest digit: the terms of a sum are then whole rows of a page, one behind
// another, and never neighbours in a row. (In the global order of ICS'08 section 3 terms are
// neighbours, which costs a kernel one sector per lane and term, or a transposition in shared
// memory.)
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <vector>

namespace mpf {

/// Returns the kept digits, the one to be fastest in the result first. It prefers long digits, and
/// extents that are multiples of a sector and of what a warp stores at once. It also prefers digits
/// in the scope of the operand that dominates the traffic, if one does, and of few operands.
std::vector<DigitId> layoutOrder(const DigitForm &form);

/// Returns up to `most` orders: layoutOrder's, then the same with its second, third, .. digit moved
/// to the front. The caller compares them by the modelled time of the kernels.
std::vector<std::vector<DigitId>> layoutOrders(const DigitForm &form, size_t most);
/// How many orders are worth their planning time.
inline constexpr size_t kLayoutOrdersTried = 3;

/// Returns `form` with new strides: every table is dense, with the kept digits in layoutOrder.
/// Digits keep their numbers.
DigitForm chooseLayouts(DigitForm form);

/// Returns `form` with new strides for the kept digits in the order `kept`, fastest first. In each
/// operand the reduced digits come directly above the first kept digits: as few of these as make a
/// row of `leastRowElems` entries.
DigitForm layOut(DigitForm form, const std::vector<DigitId> &kept, uint64_t leastRowElems = 1);

} // namespace mpf
