// Whether an expression can be evaluated, and the parameters that it reads.
#pragma once

#include "dsl/support/expression/expression.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace mpf {

/// What is wrong with an expression over a scope of `scopeSize` variables and `paramCount`
/// parameters: slots that there are not, a stack that it needs something below or leaves more than
/// one number on. Empty: nothing.
std::string findExpressionFault(const Expression &expression, size_t scopeSize, size_t paramCount);

/// The same for the *derivation* of parameter `slot`: how it follows from parameters in front of it
/// where nobody gives it a value. It reads at least one, and no state.
std::string findDerivationFault(const Expression &derivation, size_t slot);

/// Adds the slots of the parameters that it reads.
void addParamsOf(const Expression &expression, std::set<uint32_t> &slots);

/// Adds those that parameters of `slots` are derived from, and so on. `params` have derivations,
/// empty ones where they do not follow from others. A parameter for which `isGiven` follows from
/// none.
template <class Param, class IsGiven>
void addSources(const std::vector<Param> &params, std::set<uint32_t> &slots,
                const IsGiven &isGiven) {
  // What a derivation adds is in front of its parameter: on this way back it is met later.
  for (auto at = slots.end(); at != slots.begin();)
    if (--at; !isGiven(*at))
      addParamsOf(params[*at].derivation, slots);
}
template <class Param>
void addSources(const std::vector<Param> &params, std::set<uint32_t> &slots) {
  addSources(params, slots, [](uint32_t) { return false; });
}

} // namespace mpf
