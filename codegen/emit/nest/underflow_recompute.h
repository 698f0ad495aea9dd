// Sums below the limit: the text behind the stores of a kernel that splits exponents
// (dsl/support/scaled_mantissa.h). One comparison for all outputs of a thread says that there is
// none. Else those that are 0 are stored as such, and those below the guard are formed again: such
// sums are few, so this is short and slow. Each thread goes over its own outputs and adds up the
// terms of those marked +infinity, from global memory, as log-sum-exp with a running maximum. No
// barrier, no shared memory, few registers.
#pragma once

#include "codegen/emit/nest/nest_emitter.h"

#include <functional>
#include <span>
#include <string>

namespace mpf {

/// Stands where `resultAt` points to this thread's outputs, stored from the sums in `acc`.
/// `condition` holds for threads that store; "": all of them.
void writeSumAgain(const Nest &nest, NestEmitter &text, const std::string &condition,
                   CodeWriter &out, SiteTable &sites);

/// A term's entry of operand `name`, loaded and as a logarithm; in kernels that split exponents.
std::string againLogarithm(const OpEmitter &ops, uint32_t site, const std::string &name,
                           const std::string &offset);
/// The statements that form the entry at `*again` term by term, each the sum of `logarithms`.
/// `openTerms` opens the loops over its terms and returns their number.
void writeTermsAgain(const OpEmitter &ops, std::span<const std::string> logarithms,
                     uint32_t storeSite, const std::function<size_t()> &openTerms, CodeWriter &out);

} // namespace mpf
