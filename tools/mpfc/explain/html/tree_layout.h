// Computes the places of a tree view's nodes in a tidy drawing (Reingold and Tilford 1981). Roots
// are on top, and subtrees are side by side, as close as their outlines allow. Parents are above
// the middle of their children, of which the costliest is first.
#pragma once

#include "tools/mpfc/explain/html/tree_view.h"

#include <vector>

namespace mpf {

struct TreePlace {
  double x = 0;     ///< centre, in units of the drawing
  size_t depth = 0; ///< 0: a root
};

struct TreeLayout {
  std::vector<TreePlace> places; ///< by node
  double width = 0;
  size_t levels = 0;
};

/// Places the nodes. `spacing`: least distance of two nodes of one level. Not recursive, because
/// chains may be long.
TreeLayout layoutTree(const std::vector<TreeNode> &nodes, double spacing);

} // namespace mpf
