// Sums below the limit: the text behind the stores of a kernel that splits exponents
// (dsl/support/split_exponents.h). One comparison for all outputs of a thread says that there is
// none. Else those that are 0 are stored as such, and those below the guard are formed again: such
// sums are few, so this is short and slow. Each thread goes over its own outputs and adds up the
// terms of those marked +infinity, from global memory, as log-sum-exp with a running maximum. No
// barrier, no shared memory, few registers.
#pragma once

#include "codegen/emit/nest_text.h"

#include <functional>
#include <span>
#include <string>

namespace mpf {

/// Stands where `resultAt` points to this thread's outputs, stored from the sums in `acc`.
/// `condition` holds for threads that store; "": all of them.
void writeSumAgain(const Nest &nest, NestText &text, const std::string &condition, CodeWriter &out,
                   SiteTable &sites);

/// An operand of a sum that is formed again.
struct AgainOperand {
  std::string name;
  std::string entry; ///< of the term at hand, loaded
};
/// The statements that form the entry at `*again` term by term. `openTerms` opens the loops over
/// its terms and returns their number.
void writeTermsAgain(const OpText &ops, std::span<const AgainOperand> operands, uint32_t storeSite,
                     const std::function<size_t()> &openTerms, CodeWriter &out);

} // namespace mpf
