// Computes one operation in digit form by its definition, term by term in extended precision.
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <vector>

namespace mpf::simt {

/// Returns the values of the result's entries. `operands` are plain values, sizeElems of each
/// operand. `wanted`: for each entry, whether to compute it; empty: all.
std::vector<long double> evaluateForm(const DigitForm &form,
                                      const std::vector<std::vector<long double>> &operands,
                                      const std::vector<bool> &wanted = {});
std::vector<long double> evaluateForm(const DigitForm &form,
                                      const std::vector<std::vector<double>> &operands,
                                      const std::vector<bool> &wanted = {});

} // namespace mpf::simt
