// Computes an operation in digit form by its definition.
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <vector>

namespace mpf {

/// Computes ICS'08 figure 3 from the digit form alone. `operands`: one table per operand, in the
/// layout of form.operands. Linear values, or log2 of them in log form.
std::vector<double> bruteForce(const DigitForm &form, ValueForm valueForm,
                               const std::vector<std::vector<double>> &operands);

} // namespace mpf
