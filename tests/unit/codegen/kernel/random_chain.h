// Draws chain forms at random: steps with and without factors, digits that come and go, extents 2
// to 13, layouts of the planner (global order) or any others.
#pragma once

#include "codegen/kernel/form/chain_form.h"

namespace mpf::test {

/// Returns a random form: the same seed gives the same form everywhere. The whole operation has at
/// most `limit` addresses.
ChainForm randomChain(uint64_t seed, double limit = 1e5);

/// Steps over `bits` binary digits of a message of 2^log2Elems entries, each replaced by another
/// one under a 2 x 2 factor. `inPlace`: the new one takes the old one's place in the layout (the
/// canonical chain); else it is most significant, as in a sweep through a grid.
ChainForm binaryChain(unsigned log2Elems, unsigned bits, bool inPlace);

} // namespace mpf::test
