// Checks that an expression can be evaluated, and collects the parameters that it reads.
#pragma once

#include "dsl/support/expression/expression.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace mpf {

/// Returns the fault of an expression over a scope of `scopeSize` variables and `paramCount`
/// parameters. Faults are missing slots, operations without enough operands, and a stack that ends
/// with more than one number. Empty: no fault.
std::string findExpressionFault(const Expression &expression, size_t scopeSize, size_t paramCount);

/// Returns the fault of the *derivation* of parameter `slot`: how it follows from earlier
/// parameters if it gets no value. A derivation reads at least one parameter, and no state.
std::string findDerivationFault(const Expression &derivation, size_t slot);

/// Adds the slots of the parameters that `expression` reads.
void addParamsOf(const Expression &expression, std::set<uint32_t> &slots);

/// Adds the slots from which the parameters of `slots` are derived, directly or not. `params` have
/// derivations, which are empty if a parameter does not follow from others. A parameter for which
/// `isGiven` holds follows from none.
template <class Param, class IsGiven>
void addSources(const std::vector<Param> &params, std::set<uint32_t> &slots,
                const IsGiven &isGiven) {
  // A derivation adds only earlier slots, so this walk from the last slot meets them too.
  for (auto at = slots.end(); at != slots.begin();)
    if (--at; !isGiven(*at))
      addParamsOf(params[*at].derivation, slots);
}
template <class Param>
void addSources(const std::vector<Param> &params, std::set<uint32_t> &slots) {
  addSources(params, slots, [](uint32_t) { return false; });
}

} // namespace mpf
