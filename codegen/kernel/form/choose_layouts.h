// LAYOUT CHOICE: in which order an operation's tables keep their entries, where the compiler may
// choose. Inputs are laid out once, before the run; a message is laid out by the operation that
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

/// Returns the kept digits, the one to be fastest in the result first. It prefers digits that are
/// long, are multiples of a sector and of what a warp stores at once, are in the scope of the
/// operand that dominates the traffic (if one does), and are in the scope of few operands.
std::vector<DigitId> layoutOrder(const DigitForm &form);

/// Returns up to `most` orders: layoutOrder's, then the same with its second, third, .. digit moved
/// to the front. The caller compares them by the modelled time of the kernels.
std::vector<std::vector<DigitId>> layoutOrders(const DigitForm &form, size_t most);
/// How many orders are worth their planning time.
inline constexpr size_t kLayoutOrdersTried = 3;

/// Returns `form` with new strides: every table is dense, with the kept digits in layoutOrder.
/// Digits keep their numbers.
DigitForm chooseLayouts(DigitForm form);

/// The same with the kept digits in the order `kept`, fastest first. In each operand the reduced
/// digits stand above its first kept digits: above as few of them as make a row of `leastRowElems`.
DigitForm layOut(DigitForm form, const std::vector<DigitId> &kept, uint64_t leastRowElems = 1);

} // namespace mpf
