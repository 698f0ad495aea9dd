// Builds the digit form (digit_form.h) of an operation of a table program.
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <vector>

namespace mpf {

/// Returns the form of an operation. In a sliced program it is the form within one slice: sliced
/// variables are no digits. For an operation that writes or adds up splits of a sum, see
/// split_k_form.h.
/// `mergeDigits` = false keeps one digit per variable (used to show the papers' tables).
DigitForm buildDigitForm(const TableProgram &program, OpId operation, bool mergeDigits = true);

/// Returns the layout of `table` within one slice. `digits` have one variable each.
DigitAccess digitAccess(const TableProgram &program, TableId table,
                        const std::vector<Digit> &digits);

} // namespace mpf
