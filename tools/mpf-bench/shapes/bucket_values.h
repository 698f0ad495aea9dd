// The entries of the benchmark's tables, and the check of results against the definition.
//
// An entry is a fixed function of its place in one long imagined array, so that tables of gigabytes
// need no copy on the host, and buckets that run one after another share one filled memory.
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace mpf::bench {

/// A hash of the place, uniform in [0.5, 1): exponent -1, so that no kernel rescales.
double valueAt(uint64_t place);

/// Entries of places [first, first + count) in linear form, or their log2. On `threads` threads.
void fillEntries(float *to, uint64_t first, uint64_t count, ValueForm form, unsigned threads);
void fillEntries(double *to, uint64_t first, uint64_t count, ValueForm form, unsigned threads);

/// Where each operand starts: one after another, each a multiple of 256 bytes. A packed one has the
/// bits of the entries that are there.
std::vector<uint64_t> operandPlaces(const DigitForm &form, ElementType type);
/// The place behind the last operand.
uint64_t placesNeeded(const DigitForm &form, ElementType type);

/// Greatest relative error of the values of `samples` seeded entries of a result, each recomputed
/// in long double from the definition; infinite when one is NaN. `read` gives the entry at an
/// offset as a value (in log form: as log2 of it, a difference of which is a relative error).
double worstError(const DigitForm &form, ElementType type, ValueForm valueForm, unsigned samples,
                  const std::function<double(uint64_t offset)> &read);

} // namespace mpf::bench
