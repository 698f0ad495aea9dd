// Recomputes sums that underflow. The text follows the stores of a kernel that sums scaled
// mantissas (dsl/support/scaled_mantissa.h), whose sums are inexact below a limit.
//
// One comparison for all outputs of a thread tells whether any sum is below the limit. If so, sums
// that are 0 are stored as 0, and the others below the limit are marked with +infinity. Each thread
// then goes over its own outputs and computes the marked ones again from global memory, as
// log-sum-exp with a running maximum. Such sums are few, so this text is short and slow: it uses no
// barrier, no shared memory and few registers.
#pragma once

#include "codegen/emit/nest/entry_emitter.h"

#include <functional>
#include <span>
#include <string>

namespace mpf {

/// Prints the recomputation for a nest kernel. The names `resultAt` (pointer to this thread's
/// outputs) and `acc` (the sums that were stored there) must be in scope. `condition` is true for
/// threads that store; "": all threads store.
void writeUnderflowRecompute(const Nest &nest, EntryEmitter &text, const std::string &condition,
                             CodeWriter &out, SiteTable &sites);

/// The expression that loads the entry of operand `name` at `offset` and converts it to a
/// logarithm.
std::string againLogarithm(const OpEmitter &ops, uint32_t site, const std::string &name,
                           const std::string &offset);
/// Prints the statements that compute the entry at `*again` term by term; a term is the sum of
/// `logarithms`. `openTerms` opens the loops over the terms and returns how many it opened.
void writeTermsAgain(const OpEmitter &ops, std::span<const std::string> logarithms,
                     uint32_t storeSite, const std::function<size_t()> &openTerms, CodeWriter &out);

} // namespace mpf
