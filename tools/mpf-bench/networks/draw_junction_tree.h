// Random junction trees with the parameters of ICPP'10 section 4.4.1.
#pragma once

#include "dsl/model/model.h"

#include <cstdint>

namespace mpf::bench {

/// A tree of cliques, each but the root with `separator` variables of its parent and further ones
/// of its own; one positive function over each. The baseline of the paper's figure 9.
struct JunctionTreeOptions {
  uint32_t cliques = 128;
  uint32_t width = 15; ///< variables of a clique
  uint32_t separator = 2;
  uint32_t states = 2;   ///< of a variable
  uint32_t children = 2; ///< of a clique
  uint64_t seed = 1;
};

/// The separator must be smaller than the width.
Model drawJunctionTree(const JunctionTreeOptions &options);

} // namespace mpf::bench
