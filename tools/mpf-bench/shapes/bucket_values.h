// The entries of the benchmark's tables, and the check of results against the definition.
//
// All operands are parts of one long virtual array, and an entry is a fixed function of its place
// there. So tables of gigabytes need no copy on the host, and consecutive buckets share memory that
// is filled once.
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace mpf::bench {

/// Returns a hash of the place, uniform in [0.5, 1). Its exponent is -1, so that no kernel
/// rescales.
double valueAt(uint64_t place);

/// Writes the entries of places [first, first + count), or their log2, to `to`, with `threads`
/// threads.
void fillEntries(float *to, uint64_t first, uint64_t count, ValueForm form, unsigned threads);
void fillEntries(double *to, uint64_t first, uint64_t count, ValueForm form, unsigned threads);

/// Returns the place where each operand starts. Operands follow one another, each at a multiple of
/// 256 bytes. A packed operand consists of the bits of the entries at its places.
std::vector<uint64_t> operandPlaces(const DigitForm &form, ElementType type);
/// Returns the place after the last operand.
uint64_t placesNeeded(const DigitForm &form, ElementType type);

/// Returns the greatest relative error of `samples` random entries of a result, recomputed in long
/// double from the definition; infinite if one is NaN. `read` returns the entry at an offset: a
/// value, or in log form its log2, a difference of which is a relative error.
double worstError(const DigitForm &form, ElementType type, ValueForm valueForm, unsigned samples,
                  const std::function<double(uint64_t offset)> &read);

} // namespace mpf::bench
