// The definition of one operation in digit form, term by term in extended precision.
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <vector>

namespace mpf::simt {

/// Values of the result's entries; operands are plain values, each of its access's sizeElems.
/// `wanted`: by entry, which ones; the others are not computed. Empty: all.
std::vector<long double> evaluateForm(const DigitForm &form,
                                      const std::vector<std::vector<long double>> &operands,
                                      const std::vector<bool> &wanted = {});
std::vector<long double> evaluateForm(const DigitForm &form,
                                      const std::vector<std::vector<double>> &operands,
                                      const std::vector<bool> &wanted = {});

} // namespace mpf::simt
