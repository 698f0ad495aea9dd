// Random junction trees with the parameters of ICPP'10 section 4.4.1.
#pragma once

#include "dsl/model/model.h"

#include <cstdint>

namespace mpf::bench {

/// A tree of cliques, with one positive function over each. Each clique except the root has
/// `separator` variables of its parent, and new ones. The baseline of the paper's figure 9.
struct JunctionTreeOptions {
  uint32_t cliques = 128;
  uint32_t width = 15; ///< variables of a clique
  uint32_t separator = 2;
  uint32_t states = 2;   ///< states of a variable
  uint32_t children = 2; ///< children of a clique
  uint64_t seed = 1;
};

/// Draws a tree. The separator must be smaller than the width.
Model drawJunctionTree(const JunctionTreeOptions &options);

} // namespace mpf::bench
