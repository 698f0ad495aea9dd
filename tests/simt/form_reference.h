// The definition of one operation in digit form, term by term in extended precision.
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <vector>

namespace mpf::simt {

/// Values of the result's entries; operands are plain values, each of its access's sizeElems.
std::vector<long double> evaluateForm(const DigitForm &form,
                                      const std::vector<std::vector<long double>> &operands);
std::vector<long double> evaluateForm(const DigitForm &form,
                                      const std::vector<std::vector<double>> &operands);

} // namespace mpf::simt
