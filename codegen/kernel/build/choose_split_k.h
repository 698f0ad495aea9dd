// Chooses the number of splits of an operation's sum (codegen/kernel/form/split_k_form.h).
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

/// Returns the greatest useful number of splits: they take little memory beside the operands, and
/// each is a sum that is long enough to be worth a table entry. It is 1 if the results alone are
/// enough work for any device.
uint64_t maxSplits(const DigitForm &whole);
/// A part has so many terms at least, since shorter ones cost more than they gain: maxSplits of a
/// sum with fewer than twice as many is 1.
inline constexpr uint64_t kLeastTermsOfPart = 64;

/// Returns the number of splits with the least time, by trial. Digits of the forms that it passes
/// to `timeUs` are merged. With `options` it predicts how far the kernel of the whole sum is from
/// its floor; it tries nothing if there is little to gain.
SplitChoice chooseSplits(const DigitForm &whole, const KernelOptions &options,
                         const FormTime &timeUs);

} // namespace mpf
