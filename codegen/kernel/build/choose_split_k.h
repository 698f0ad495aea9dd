// Into how many splits the sum of an operation is best cut (codegen/kernel/form/split_k_form.h).
#pragma once

#include "codegen/kernel/build/kernel_options.h"
#include "codegen/kernel/form/digit_form.h"

#include <functional>

namespace mpf {

/// Returns the modelled device time of a form, in microseconds.
using FormTime = std::function<double(const DigitForm &)>;

struct SplitChoice {
  uint64_t splits = 1; ///< 1: the sum stays whole
  double timeUs = 0;   ///< modelled time of both operations, or of the undivided one
};

/// Into so many splits at most: they take little memory beside the operands, and each is a sum long
/// enough to be worth a table entry. 1: the results by themselves are enough for any device.
uint64_t maxSplits(const DigitForm &whole);
/// A part has so many terms at least, since shorter ones cost more than they gain: maxSplits of a
/// sum with fewer than twice as many is 1.
inline constexpr uint64_t kLeastTermsOfPart = 64;

/// The number of splits of least time, by trial; digits of the forms it asks about are merged.
/// `options` say how far the kernel for the whole is from its floor: nothing is tried for less.
SplitChoice chooseSplits(const DigitForm &whole, const KernelOptions &options,
                         const FormTime &timeUs);

} // namespace mpf
